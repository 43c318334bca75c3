from day_buckets import day_number, events_per_day


def test_first_day():
    assert day_number(0) == 0
    assert day_number(3600) == 0


def test_end_of_first_day():
    assert day_number(86399) == 0


def test_second_day():
    assert day_number(24 * 60 * 60) == 1


def test_counts():
    assert events_per_day([0, 10, 100000]) == {0: 2, 1: 1}
