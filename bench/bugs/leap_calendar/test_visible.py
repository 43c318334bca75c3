import pytest

from leap_calendar import days_in_month, is_leap


def test_ordinary_year():
    assert days_in_month(2023, 2) == 28


def test_leap_year():
    assert days_in_month(2024, 2) == 29


def test_century():
    assert not is_leap(1900)


def test_bad_month():
    with pytest.raises(ValueError):
        days_in_month(2024, 13)


def test_november():
    assert days_in_month(2024, 11) == 30
