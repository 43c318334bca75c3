from cheapest_offer import cheapest_shop, index_of_lowest


def test_equal_prices():
    assert index_of_lowest([4, 3, 3, 4]) == 1


def test_last():
    assert index_of_lowest([5, 4, 3, 2]) == 3


def test_negative():
    assert index_of_lowest([0, -10, -3]) == 1


def test_first_of_equal_shops():
    assert cheapest_shop([("a", 9), ("b", 8), ("c", 8)]) == "b"


def test_floats():
    assert index_of_lowest([1.5, 0.5]) == 1
