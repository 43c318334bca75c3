from day_buckets import day_number, events_per_day


def test_end_of_tenth_day():
    assert day_number(10 * 24 * 3600 - 1) == 9


def test_a_year():
    assert day_number(365 * 24 * 3600) == 365


def test_real_date():
    assert day_number(1700000000) == 19675


def test_counts_at_the_edges():
    assert events_per_day([86399, 86400, 172799, 172800]) == {0: 1, 1: 2, 2: 1}


def test_before_epoch():
    assert day_number(-1) == -1
