from leap_calendar import days_in_month, is_leap


def test_year_2000():
    assert is_leap(2000)


def test_count_over_four_centuries():
    assert sum(is_leap(y) for y in range(2000, 2400)) == 97


def test_length_of_leap_year():
    assert sum(days_in_month(2020, m) for m in range(1, 13)) == 366


def test_other_centuries():
    assert [y for y in range(1600, 2500, 100) if is_leap(y)] == [1600, 2000, 2400]
