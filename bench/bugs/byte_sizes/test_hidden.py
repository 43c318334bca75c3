from byte_sizes import human_size, parse_size


def test_mebibytes():
    assert human_size(5 * 1024 ** 2) == "5 MiB"


def test_tebibytes():
    assert human_size(4096 * 1024 ** 4) == "4096 TiB"


def test_round_trip():
    for text in ("1 KiB", "7 MiB", "900 GiB", "12 B"):
        assert human_size(parse_size(text)) == text


def test_just_below():
    assert human_size(1023) == "1023 B"
