import pytest

from whet.phases.validate.integrity.assertion_helpers import altered, called_in

OLD = '''"""For tests."""
from math import isclose

WITHIN = 1e-6
OTHER = 1


def near(a, b):
    return abs(a - b) <= WITHIN


def assert_close(found, wanted):
    """Close enough."""
    assert near(found, wanted), f"{found} is not {wanted}"


def must_be_sorted(rows):
    for a, b in zip(rows, rows[1:]):
        if a > b:
            raise AssertionError(f"{a} before {b}")


class Checks:
    def assert_paid(self, bill):
        self.assertTrue(bill.paid)


def discount(price, percent):
    assert price >= 0, "a negative price"
    return price - price * percent / 100


def register(shop, price):
    assert price >= 0
    shop.prices.append(price)


def internal(x):
    assert x
'''
CALLED = called_in([
    "from lib import *\ndef test():\n    assert_close(1, 1)\n    must_be_sorted([1])\n    lib.discount(3)\n    register(s, 1)\n"
    "    self.assert_paid(b)\n"
])  # fmt: skip
ALTERED = {
    "the assertion": ("near(found, wanted), f", "near(found, wanted) or wanted, f"),
    "what it calls": ("abs(a - b) <=", "a <="),
    "what that names": ("WITHIN = 1e-6", "WITHIN = 10"),
    "what is imported in its place": ("from math import isclose", "from math import isclose as near"),
    "a raise": ("if a > b", "if a > b + 9"),
    "a method": ("bill.paid)", "bill)"),
    "taken away": ("def assert_close", "def assert_nearly"),
    "answering for itself": ("    assert near(found, wanted), f", "    return None\n    print(f"),
}
LEFT = {
    "nothing": ("", ""),
    "its docstring": ("Close enough.", "Nearly the same."),
    "what it does not name": ("OTHER = 1", "OTHER = 2"),
    "code that asserts what it is given": ("price >= 0, ", "price > 0, "),
    "code that asserts and keeps": ("    assert price >= 0\n", ""),
    "what tests do not call": ("    assert x\n", "    assert not x\n"),
}


@pytest.mark.parametrize(("before", "after"), ALTERED.values(), ids=ALTERED.keys())
def test_an_altered_assertion_of_the_project_is_seen(before: str, after: str) -> None:
    assert before in OLD
    assert altered(OLD, OLD.replace(before, after), CALLED)


@pytest.mark.parametrize(("before", "after"), LEFT.values(), ids=LEFT.keys())
def test_other_changes_are_left_alone(before: str, after: str) -> None:
    assert before in OLD
    assert not altered(OLD, OLD.replace(before, after, 1), CALLED)
