from datetime import date

import pytest

from inclusive_days import stay_days, stay_length


def test_length():
    assert stay_length(date(2024, 5, 1), date(2024, 5, 7)) == 7


def test_days():
    days = stay_days(date(2024, 2, 28), date(2024, 3, 1))
    assert [d.day for d in days] == [28, 29, 1]


def test_wrong_order():
    with pytest.raises(ValueError):
        stay_length(date(2024, 5, 2), date(2024, 5, 1))


def test_first_day_is_listed():
    assert stay_days(date(2024, 5, 1), date(2024, 5, 9))[0] == date(2024, 5, 1)
