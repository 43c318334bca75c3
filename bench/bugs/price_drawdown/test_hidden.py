from price_drawdown import is_calm, max_drawdown


def test_two_dips():
    assert max_drawdown([5, 3, 6, 2, 8, 7]) == 4


def test_fall_before_the_last_peak():
    assert max_drawdown([3, 1, 4, 1, 5]) == 3


def test_not_calm():
    assert not is_calm([10, 1, 10], 5)


def test_calm():
    assert is_calm([10, 8, 10], 2)


def test_negative_prices():
    assert max_drawdown([-1, -5, -2]) == 4
