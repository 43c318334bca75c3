from datetime import date

from inclusive_days import stay_days, stay_length


def test_single_day():
    day = date(2023, 12, 31)
    assert stay_length(day, day) == 1
    assert stay_days(day, day) == [day]


def test_they_agree():
    first = date(2023, 12, 20)
    for n in range(1, 20):
        last = date.fromordinal(first.toordinal() + n)
        assert len(stay_days(first, last)) == stay_length(first, last) == n + 1


def test_year():
    assert stay_length(date(2023, 1, 1), date(2023, 12, 31)) == 365


def test_reversed_list_is_empty():
    assert stay_days(date(2024, 1, 2), date(2024, 1, 1)) == []
