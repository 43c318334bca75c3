import pytest

from sliding_mean import moving_average, windows


def test_average_of_pairs():
    assert moving_average([1, 3, 5, 7], 2) == [2, 4, 6]


def test_window_larger_than_data():
    assert moving_average([1, 2], 5) == []


def test_zero_size():
    with pytest.raises(ValueError):
        windows([1], 0)
