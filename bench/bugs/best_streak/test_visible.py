import pytest

from best_streak import best_stretch, has_gain


def test_all_gains():
    assert best_stretch([1, 2, 3]) == 6


def test_mixed():
    assert best_stretch([4, -5, 3, 2, -1]) == 5


def test_only_losses():
    assert best_stretch([-3, -2, -4]) == -2


def test_empty():
    with pytest.raises(ValueError):
        best_stretch([])


def test_has_gain():
    assert has_gain([-1, 2])
