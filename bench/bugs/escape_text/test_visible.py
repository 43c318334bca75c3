import pytest

from escape_text import unescape


def test_plain():
    assert unescape("hello") == "hello"


def test_newline():
    assert unescape("one\\ntwo") == "one\ntwo"


def test_escape_at_end():
    assert unescape("end\\t") == "end\t"


def test_lonely_backslash():
    with pytest.raises(ValueError):
        unescape("oops\\")
