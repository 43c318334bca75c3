from word_counts import count_words, top_words


def test_counts():
    assert count_words("a b A") == {"a": 2, "b": 1}


def test_empty_text():
    assert count_words("") == {}


def test_top():
    assert top_words("b a b c a b", 2) == ["b", "a"]
