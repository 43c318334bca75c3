from account_statement import lowest_balance, running_balance


def test_no_movements():
    assert running_balance(10, []) == []


def test_one_movement():
    assert running_balance(10, [5]) == [15]


def test_several_movements():
    assert running_balance(100, [-30, 20, -50]) == [70, 90, 40]


def test_lowest():
    assert lowest_balance(100, [-30, 20, -50]) == 40
