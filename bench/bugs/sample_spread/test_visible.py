from sample_spread import mean, variance, z_scores


def test_mean():
    assert mean([1, 2, 6]) == 3


def test_variance():
    assert variance([2, 4, 4, 4, 5, 5, 7, 9]) == 4


def test_variance_of_equal_values():
    assert variance([3, 3, 3]) == 0


def test_z_scores():
    assert z_scores([1, 3]) == [-1.0, 1.0]
