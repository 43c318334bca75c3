"""A patch that changes an assertion helper of the project is noticed; other changes are not."""

import pytest

from whet.phases.validate.integrity.safeguards.assertion_helpers import called_names, changed_helper

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
CALLED = called_names([
    "from lib import *\ndef test():\n    assert_close(1, 1)\n    must_be_sorted([1])\n    lib.discount(3)\n    register(s, 1)\n"
    "    self.assert_paid(b)\n"
])  # fmt: skip
CHANGED = {
    "the assertion": ("near(found, wanted), f", "near(found, wanted) or wanted, f"),
    "a function that it calls": ("abs(a - b) <=", "a <="),
    "a constant of that function": ("WITHIN = 1e-6", "WITHIN = 10"),
    "an import that replaces a function": ("from math import isclose", "from math import isclose as near"),
    "a raise": ("if a > b", "if a > b + 9"),
    "a method": ("bill.paid)", "bill)"),
    "removed": ("def assert_close", "def assert_nearly"),
    "no assertion any more": ("    assert near(found, wanted), f", "    return None\n    print(f"),
}
UNCHANGED = {
    "nothing": ("", ""),
    "its docstring": ("Close enough.", "Nearly the same."),
    "a constant that it does not use": ("OTHER = 1", "OTHER = 2"),
    "code that asserts its arguments and returns a value": ("price >= 0, ", "price > 0, "),
    "code that asserts and stores": ("    assert price >= 0\n", ""),
    "a helper that tests do not call": ("    assert x\n", "    assert not x\n"),
}


@pytest.mark.parametrize(("before", "after"), CHANGED.values(), ids=CHANGED.keys())
def test_a_changed_assertion_helper_is_reported(before: str, after: str) -> None:
    assert before in OLD
    assert changed_helper(OLD, OLD.replace(before, after), CALLED)


@pytest.mark.parametrize(("before", "after"), UNCHANGED.values(), ids=UNCHANGED.keys())
def test_other_changes_are_not_reported(before: str, after: str) -> None:
    assert before in OLD
    assert not changed_helper(OLD, OLD.replace(before, after, 1), CALLED)
