from open_hours import is_open, next_opening


def test_weekday():
    assert is_open(0, 9)
    assert not is_open(0, 17)


def test_saturday():
    assert not is_open(5, 12)


def test_next_morning():
    assert next_opening(1, 20) == (2, 9)


def test_friday_evening():
    assert next_opening(4, 18) == (0, 9)
