from formula_tree import evaluate


def test_number():
    assert evaluate(5) == 5


def test_nested():
    assert evaluate(("+", 1, ("*", 2, 3))) == 7


def test_variable():
    assert evaluate(("*", "x", 2), {"x": 21}) == 42


def test_minus():
    assert evaluate(("-", 10, 4)) == 6
