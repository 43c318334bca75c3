import pytest

from cheapest_offer import cheapest_shop, index_of_lowest


def test_lowest_first():
    assert index_of_lowest([0, 5, 7]) == 0


def test_lowest_in_the_middle():
    assert index_of_lowest([9, 2, 7]) == 1


def test_no_prices():
    with pytest.raises(ValueError):
        index_of_lowest([])


def test_shop():
    assert cheapest_shop([("north", 30), ("south", 20)]) == "south"
