import pytest

from sample_spread import variance, z_scores


def test_variance_two_values():
    assert variance([0, 10]) == 25


def test_variance_is_never_negative():
    assert variance([-5, -1, 0]) == pytest.approx(14 / 3)


def test_z_scores_equal():
    assert z_scores([4, 4]) == [0.0, 0.0]


def test_z_scores_scaled():
    assert z_scores([10, 20, 30])[2] == pytest.approx(1.2247448)
