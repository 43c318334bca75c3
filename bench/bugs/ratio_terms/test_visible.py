import pytest

from ratio_terms import reduce_ratio


def test_screen():
    assert reduce_ratio(1920, 1080) == "16:9"


def test_square():
    assert reduce_ratio(5, 5) == "1:1"


def test_negative_side():
    with pytest.raises(ValueError):
        reduce_ratio(-1, 5)
