from account_statement import lowest_balance, running_balance


def test_overdraft():
    assert lowest_balance(10, [-5, -5, -5, 20]) == -5


def test_opening_is_lowest():
    assert lowest_balance(1, [5, 5]) == 1


def test_last_is_opening_plus_sum():
    moves = [3, 8, -2, 14]
    assert running_balance(7, moves)[-1] == 7 + sum(moves)


def test_equal_movements():
    assert running_balance(0, [1, 1, 1]) == [1, 2, 3]
