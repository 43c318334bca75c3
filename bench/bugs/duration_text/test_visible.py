import pytest

from duration_text import format_duration, split_seconds


def test_only_seconds():
    assert format_duration(42) == "0m 42s"


def test_minutes_and_seconds():
    assert format_duration(125) == "2m 05s"


def test_split_hour():
    assert split_seconds(3723) == (1, 2, 3)


def test_negative():
    with pytest.raises(ValueError):
        format_duration(-1)
