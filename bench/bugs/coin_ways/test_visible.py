from coin_ways import count_ways, payable


def test_five():
    assert count_ways(5, [1, 2, 5]) == 4


def test_impossible():
    assert count_ways(3, [2]) == 0


def test_payable():
    assert payable(7, [2, 5])
    assert not payable(1, [2, 5])
