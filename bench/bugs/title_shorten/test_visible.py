from title_shorten import shorten, table_row


def test_short_text_is_kept():
    assert shorten("hello", 5) == "hello"


def test_long_text():
    assert shorten("hello world", 8) == "hello..."


def test_tiny_limit():
    assert shorten("hello", 2) == ".."


def test_row():
    assert table_row(["a", "bcdefghij"], 5) == "a     | bc..."
