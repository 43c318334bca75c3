import pytest

from formula_tree import evaluate


def test_only_a_variable():
    assert evaluate("total", {"total": 9}) == 9


def test_two_variables():
    formula = ("-", ("*", "a", "a"), "bc")
    assert evaluate(formula, {"a": 5, "bc": 5}) == 20


def test_unknown_variable():
    with pytest.raises(KeyError):
        evaluate("y", {"x": 1})


def test_variable_with_three_letters():
    assert evaluate(("+", "abc", 1), {"abc": 1}) == 2
