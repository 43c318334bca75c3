import pytest

from grade_average import passed, weighted_mean


def test_fractional_weights():
    assert weighted_mean([(10, 0.5), (20, 0.5)]) == 15


def test_zero_weights():
    with pytest.raises(ValueError):
        weighted_mean([(10, 0), (20, 0)])


def test_heavy_failure():
    assert not passed([(40, 4), (60, 1)])


def test_single_heavy():
    assert weighted_mean([(33, 7)]) == 33
