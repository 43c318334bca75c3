from paint_fill import fill


def test_rows_are_not_shared():
    grid = [[1, 2]]
    result = fill(grid, 0, 0, 1)
    result[0][1] = 9
    assert grid == [[1, 2]]


def test_two_fills_of_one_grid():
    grid = [[0, 1], [1, 0]]
    assert fill(grid, 0, 0, 7) == [[7, 1], [1, 0]]
    assert fill(grid, 1, 1, 8) == [[0, 1], [1, 8]]


def test_rows_of_tuples():
    assert fill([(0, 0), (1, 0)], 0, 0, 2) == [[2, 2], [1, 2]]


def test_no_diagonal():
    assert fill([[0, 1], [1, 0]], 0, 0, 4) == [[4, 1], [1, 0]]
