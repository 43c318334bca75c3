import pytest

from grade_average import passed, weighted_mean


def test_equal_weights_of_one():
    assert weighted_mean([(60, 1), (80, 1)]) == 70


def test_different_weights():
    assert weighted_mean([(60, 3), (80, 1)]) == 65


def test_no_pairs():
    with pytest.raises(ValueError):
        weighted_mean([])


def test_passed():
    assert passed([(50, 1)])
