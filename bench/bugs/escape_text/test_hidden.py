from escape_text import unescape


def test_neighbouring_escapes():
    assert unescape("\\n\\t\\n") == "\n\t\n"


def test_escaped_backslash():
    assert unescape("a\\\\nb") == "a\\nb"


def test_unknown_escape_keeps_the_letter():
    assert unescape("\\qx") == "qx"


def test_empty():
    assert unescape("") == ""
