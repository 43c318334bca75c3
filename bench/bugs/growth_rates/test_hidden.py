import pytest

from growth_rates import yearly_growth


def test_doubling():
    assert yearly_growth({1: 10, 2: 20, 3: 40}) == {2: 100, 3: 100}


def test_fall_to_zero():
    assert yearly_growth({1: 10, 2: 0}) == {2: -100}


def test_start_from_zero():
    with pytest.raises(ZeroDivisionError):
        yearly_growth({1: 0, 2: 10})


def test_unsorted_input():
    assert yearly_growth({3: 30, 1: 20, 2: 10}) == {2: -50, 3: 200}
