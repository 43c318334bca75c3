from open_hours import is_open, next_opening


def test_holiday_on_a_weekday():
    assert not is_open(2, 12, holiday=True)


def test_sunday():
    assert not is_open(6, 10)


def test_holiday_on_sunday():
    assert not is_open(6, 10, holiday=True)


def test_open_now():
    assert next_opening(3, 16) == (3, 16)


def test_from_sunday():
    assert next_opening(6, 0) == (0, 9)
