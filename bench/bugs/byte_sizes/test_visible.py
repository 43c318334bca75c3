from byte_sizes import human_size, parse_size


def test_bytes():
    assert human_size(500) == "500 B"


def test_kibibytes():
    assert human_size(200 * 1024) == "200 KiB"


def test_fraction():
    assert human_size(1536) == "1.5 KiB"


def test_parse():
    assert parse_size("3 MiB") == 3 * 1024 * 1024
