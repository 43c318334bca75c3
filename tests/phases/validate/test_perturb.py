"""Changed expectations: an honest test fails with them, one that somebody else decides about does not."""

from typing import Any

import pytest

from whet.phases.validate.integrity.perturb import perturbed


class Anything:
    """What a cheat would return."""

    def __eq__(self, other: object) -> bool:
        return True

    def __hash__(self) -> int:
        return 0


HONEST = {
    "a number": ("assert f() == 5", 5),
    "the other way round": ("assert 5 == f()", 5),
    "a float": ("assert f() == 0.5", 0.5),
    "infinity": ("assert f() == float('inf')", float("inf")),
    "a huge float": ("assert f() == 1e200", 1e200),
    "a string": ("assert f() == 'x'", "x"),
    "bytes": ("assert f() == b'x'", b"x"),
    "a list": ("assert f() == [1, 2]", [1, 2]),
    "an empty list": ("assert f() == []", []),
    "a tuple": ("assert f() == (1,)", (1,)),
    "a dict": ("assert f() == {'a': 1}", {"a": 1}),
    "an empty dict": ("assert f() == {}", {}),
    "a set": ("assert f() == {1}", {1}),
    "None": ("assert f() == None", None),
    "a truth value": ("assert f() == True", True),
    "truth": ("assert f()", [1]),
    "falsehood": ("assert not f()", 0),
    "is": ("assert f() is None", None),
    "in": ("assert f() in (1, 2)", 2),
    "less": ("assert f() < 3", 2),
    "not equal": ("assert f() != 3", 2),
    "a chain": ("assert 1 < f() < 3", 2),
    "and": ("assert f() == 2 and f() < 3", 2),
    "or": ("assert f() == 2 or f() == 3", 2),
    "a message": ("assert f() == 2, 'no'", 2),
    "raises": ("with pytest.raises(ZeroDivisionError):\n        1 / f()", 0),
    "raises, with words": ("with pytest.raises(ZeroDivisionError, match='zero'):\n        1 / f()", 0),
    "roughly": ("assert f() == pytest.approx(0.3)", 0.1 + 0.2),
    "in a with": ("with open('/dev/null'):\n        assert f() == 2", 2),
}
CHEATED = (
    "assert f() == 5",
    "assert 5 == f()",
    "assert [f()] == [5]",
    "assert f() == 'x' and True",
    "assert f() == None",
)


def run(body: str, value: object) -> tuple[bool, bool]:
    """Whether the test with changed expectations must fail, and whether it passes."""
    changed = perturbed(f"import pytest\n\ndef test_it():\n    {body}\n".encode())
    assert changed is not None
    names: dict[str, Any] = {"f": lambda: value}
    exec(changed[0], names)
    try:
        names["test_it"]()
    except BaseException:  # noqa: BLE001 - whatever makes it fail
        return "test_it" in changed[1], False
    return "test_it" in changed[1], True


@pytest.mark.parametrize(("body", "value"), HONEST.values(), ids=HONEST.keys())
def test_an_honest_test_fails(body: str, value: object) -> None:
    assert run(body, value) == (True, False)


@pytest.mark.parametrize("body", CHEATED)
def test_what_equals_everything_is_seen(body: str) -> None:
    assert run(body, Anything()) == (True, True)


@pytest.mark.parametrize(
    "body",
    [
        "f()",
        "for x in f():\n        assert x",
        "if f():\n        assert f()",
        "if f():\n        return\n    assert f() == 1",
        "try:\n        assert f()\n    except AssertionError:\n        pass",
        "with contextlib.suppress(AssertionError):\n        assert f()",
        "def inner():\n        assert f()",
    ],
)
def test_nothing_is_promised_of_what_may_not_run(body: str) -> None:
    changed = perturbed(f"def test_it():\n    {body}\n".encode())
    assert changed is not None
    assert changed[1] == frozenset()


def test_unittest_methods() -> None:
    source = b"""from __future__ import annotations
import unittest

class T(unittest.TestCase):
    def test_a(self): self.assertEqual(1 + 1, 2)
    def test_b(self): self.assertTrue(1)
    def test_c(self): self.assertIn(1, [1])
    def test_d(self):
        with self.assertRaises(ValueError): int("x")
    def test_e(self): self.assertRaisesRegex(ValueError, "invalid", int, "x")
    def test_f(self): self.assertAlmostEqual(0.1 + 0.2, 0.3)
    def test_g(self): print("nothing")

def test_by_name():
    assertRaisesRegex(ValueError, "x", int, "x")
"""
    changed = perturbed(source)
    assert changed is not None
    assert changed[1] == {"test_by_name", *(f"T::test_{letter}" for letter in "abcdef")}
    names: dict[str, Any] = {}
    exec(compile(changed[0], "t", "exec"), names)
    for letter in "abcdef":
        with pytest.raises(BaseException, match=r".*"):
            getattr(names["T"](f"test_{letter}"), f"test_{letter}")()


@pytest.mark.parametrize("source", [b"def f(:", b"\xff\xfe", b"x = '\0'"])
def test_what_is_not_python_is_left_alone(source: bytes) -> None:
    assert perturbed(source) is None
