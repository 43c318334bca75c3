import pytest

from quoted_fields import split_fields


def test_single_field():
    assert split_fields("hello") == ["hello"]


def test_plain_fields():
    assert split_fields("a,b,c") == ["a", "b", "c"]


def test_quoted_separator():
    assert split_fields('1,"x,y",2') == ["1", "x,y", "2"]


def test_unclosed():
    with pytest.raises(ValueError):
        split_fields('a,"b')
