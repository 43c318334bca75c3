from middle_value import first_above_median, median


def test_odd():
    assert median([3, 1, 2]) == 2


def test_even():
    assert median([4, 1, 3, 2]) == 2.5


def test_first_above():
    assert first_above_median([1, 9, 5, 7, 2]) == 9


def test_nothing_above():
    assert first_above_median([4, 4]) is None
