from middle_value import first_above_median, median


def test_values_keep_their_order():
    values = [5, 1, 4]
    median(values)
    assert values == [5, 1, 4]


def test_tuple():
    assert median((9, 7, 8)) == 8


def test_first_above_keeps_values():
    values = [8, 3, 6, 1]
    assert first_above_median(values) == 8
    assert values == [8, 3, 6, 1]


def test_single():
    assert median([42]) == 42
