from coin_ways import count_ways


def test_nothing_to_pay():
    assert count_ways(0, [1, 2]) == 1


def test_no_coins():
    assert count_ways(4, []) == 0


def test_euro():
    assert count_ways(100, [1, 2, 5, 10, 20, 50, 100]) == 4563


def test_one_coin():
    assert count_ways(9, [3]) == 1


def test_coin_order_does_not_matter():
    assert count_ways(10, [5, 2, 1]) == count_ways(10, [1, 2, 5]) == 10
