from sliding_mean import moving_average, windows


def test_window_as_long_as_data():
    assert moving_average([2, 4, 6], 3) == [4]


def test_window_of_one():
    assert windows([1, 2, 3], 1) == [[1], [2], [3]]


def test_no_short_windows():
    assert all(len(w) == 3 for w in windows(list(range(10)), 3))


def test_number_of_windows():
    assert len(windows(list(range(10)), 3)) == 8


def test_empty():
    assert windows([], 2) == []
