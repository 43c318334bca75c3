from datetime import date

from age_in_months import age_text, months_between


def test_early_days_of_late_months():
    assert months_between(date(2020, 10, 2), date(2020, 12, 3)) == 2


def test_same_date():
    assert months_between(date(2020, 12, 1), date(2020, 12, 1)) == 0


def test_one_day_short_of_a_year():
    assert age_text(date(2019, 3, 31), date(2020, 3, 30)) == "0y 11m"


def test_over_new_year():
    assert months_between(date(2020, 11, 20), date(2021, 1, 25)) == 2
