from matrix_product import identity, multiply


def test_row_times_column():
    assert multiply([[1, 2, 3]], [[4], [5], [6]]) == [[32]]


def test_column_times_row():
    assert multiply([[1], [2]], [[3, 4, 5]]) == [[3, 4, 5], [6, 8, 10]]


def test_identity_left():
    m = [[1, 2], [3, 4]]
    assert multiply(identity(2), m) == m


def test_rectangular():
    assert multiply([[1, 0, 2], [0, 1, 1]], [[1, 2], [3, 4], [5, 6]]) == [[11, 14], [8, 10]]
