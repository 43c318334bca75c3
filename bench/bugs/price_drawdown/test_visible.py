from price_drawdown import max_drawdown


def test_rising_prices():
    assert max_drawdown([1, 2, 5, 9]) == 0


def test_falling_prices():
    assert max_drawdown([9, 7, 4]) == 5


def test_recovery():
    assert max_drawdown([10, 4, 11, 9]) == 6


def test_no_prices():
    assert max_drawdown([]) == 0
