from whet.guard.paths.lookalikes import as_latin, mixed_words


def test_lookalikes_become_latin_letters_and_only_mixed_words_are_reported() -> None:
    assert as_latin("ѕесrеt") == "secret"
    assert as_latin("größe") == "größe"
    assert list(mixed_words("sеtup and привет and β2")) == ["sеtup"]
