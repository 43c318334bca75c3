from datetime import date

import pytest

from age_in_months import age_text, months_between


def test_same_day_of_month():
    assert months_between(date(2020, 1, 15), date(2020, 4, 15)) == 3


def test_month_not_complete():
    assert months_between(date(2020, 1, 15), date(2020, 4, 14)) == 2


def test_age():
    assert age_text(date(2000, 6, 10), date(2021, 8, 11)) == "21y 2m"


def test_wrong_order():
    with pytest.raises(ValueError):
        months_between(date(2020, 2, 1), date(2020, 1, 1))
