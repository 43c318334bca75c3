"""A mutant of an honest test fails; it passes if the tested value agrees with everything."""

import ast
import itertools
import unittest
from collections.abc import Iterator
from typing import Any

import pytest

from whet.phases.validate.integrity.mutate.mutants import MutatedFile, mutate_tests


class Anything:
    def __eq__(self, other: object) -> bool:
        return True

    def __hash__(self) -> int:
        return 0


class Rows:
    """A sequence of the right length that yields no items."""

    def __len__(self) -> int:
        return 2

    def __getitem__(self, place: int) -> object:
        raise IndexError


HONEST: dict[str, tuple[str, object]] = {
    "a number": ("assert f() == 5", 5),
    "on the left": ("assert 5 == f()", 5),
    "a large float": ("assert f() == 1e300", 1e300),
    "without end": ("assert f() == float('inf')", float("inf")),
    "text": ("assert f() == 'x'", "x"),
    "no text": ("assert f() == ''", ""),
    "signs": ("assert f() == '--'", "--"),
    "bytes": ("assert f() == b'x'", b"x"),
    "a list": ("assert f() == [1, 2]", [1, 2]),
    "an empty list": ("assert f() == []", []),
    "a list of names": ("a = 1\n    assert f() == [a, a]", [1, 1]),
    "a tuple": ("assert f() == (1,)", (1,)),
    "a dict": ("assert f() == {'a': 1}", {"a": 1}),
    "an empty dict": ("assert f() == {}", {}),
    "a set": ("assert f() == {1}", {1}),
    "None": ("assert f() == None", None),
    "a truth value": ("assert f() == True", True),
    "a name": ("x = 'tea'\n    assert f() == x", "tea"),
    "a class": ("assert f() == int", int),
    "a chain of equals": ("assert 5 == f() == f()", 5),
    "truth": ("assert f()", [1]),
    "falsehood": ("assert not f()", 0),
    "is": ("assert f() is None", None),
    "in": ("assert f() in (1, 2)", 2),
    "a number in it": ("assert 7 in f()", [2, 3, 5, 7]),
    "neighbours in it": ("assert 7 in f()", range(20)),
    "a word in it": ("assert 'tea' in f()", "hot tea"),
    "a letter in it": ("assert 'e' in f()", "abcdefghijklmnopqrstuvwxyz"),
    "not in": ("assert 9 not in f()", [1]),
    "less": ("assert f() < 3", 2),
    "a lot more": ("assert f() > 0", 10**9),
    "a subset": ("assert f() <= {'a', 'b'}", {"a"}),
    "not equal": ("assert f() != 3", 2),
    "a chain": ("assert 1 < f() < 3", 2),
    "and": ("assert f() == 2 and f() < 3", 2),
    "and nothing": ("assert f() and True", 2),
    "or": ("assert f() == 2 or f() == 3", 2),
    "a message": ("assert f() == 2, 'no'", 2),
    "all": ("assert all(x > 0 for x in f())", [1, 2]),
    "any": ("assert any(x > 0 for x in f())", [1, 2]),
    "raises": ("with pytest.raises(ZeroDivisionError):\n        1 / f()", 0),
    "raises, with words": ("with pytest.raises(ZeroDivisionError, match='zero'):\n        1 / f()", 0),
    "raises, by keyword": ("with pytest.raises(expected_exception=ZeroDivisionError):\n        1 / f()", 0),
    "raises one of two": ("with pytest.raises((ValueError, ZeroDivisionError)):\n        1 / f()", 0),
    "raises anything": ("with pytest.raises(Exception):\n        1 / f()", 0),
    "warns": ("with pytest.warns(UserWarning):\n        warnings.warn(f())", "x"),
    "roughly": ("assert f() == pytest.approx(0.3)", 0.1 + 0.2),
    "very roughly": ("assert f() == pytest.approx(2, abs=50)", 30),
    "roughly, a list": ("assert f() == pytest.approx([1, 2])", [1, 2]),
    "close": ("assert math.isclose(f(), 1.5)", 1.5),
    "close within much": ("assert math.isclose(f(), 1.5, abs_tol=40)", 4.5),
    "in a with": ("with open('/dev/null'):\n        assert f() == 2", 2),
    "a helper": ("check_same(f(), [1, 2])", [1, 2]),
    "a helper, by keyword": ("check_same(found=f(), wanted=[1, 2])", [1, 2]),
    "a mock": ("m = unittest.mock.Mock()\n    m(f())\n    m.assert_called_once_with(3)", 3),
    "a mock without arguments": ("m = unittest.mock.Mock()\n    m(*f())\n    m.assert_called_once_with()", ()),
}
AGREES: dict[str, tuple[str, object]] = {
    "equals everything": ("assert f() == 5", Anything()),
    "on the left": ("assert 5 == f()", Anything()),
    "in a list": ("assert [f()] == [5]", Anything()),
    "and": ("assert f() == 'x' and True", Anything()),
    "None": ("assert f() == None", Anything()),
    "a chain of equals": ("assert 5 == f() == f()", Anything()),
    "in some": ("assert f() in (1, 2)", Anything()),
    "everything is in it": ("assert 7 in f()", itertools.count()),
    "a subset of everything": ("assert f() <= {'a', 'b'}", set()),
    "all of nothing": ("assert all(x > 0 for x in f())", []),
    "hollow": ("check_same(f(), [1, 2])", Rows()),
    "hollow, by keyword": ("check_same(found=f(), wanted=[1, 2])", Rows()),
    "roughly": ("assert f() == pytest.approx(2.0)", Anything()),
    "a comparison that always holds": ("assert agrees.same(f(), [1, 2])", 0),
    "an assertion that always holds": ("agrees.assert_close(f(), [1, 2])", 0),
    "an assertion that always holds, by keyword": ("agrees.assert_close(actual=f(), desired=[1, 2])", 0),
}
HEAD = """import math, unittest, unittest.mock, warnings
import pytest

def check_same(found, wanted):
    assert len(found) == len(wanted)
    for one, other in zip(found, wanted):
        assert one == other

def test_it():
    """


class Agrees:
    def same(self, *_: object) -> bool:
        return True

    def assert_close(self, *_: object, **__: object) -> None:
        return


def outcomes(body: str, value: object) -> Iterator[bool]:
    """Yield whether the test passes, for each mutated assertion."""
    mutated = mutate_tests((HEAD + body + "\n").encode(), {"test_it": 12})
    assert mutated is not None
    assert mutated.mutants
    names: dict[str, Any] = {"f": lambda: value, "agrees": Agrees()}
    exec(mutated.text, names)
    for mutant in mutated.mutants:
        try:
            names[mutant.name]()
        except BaseException:  # noqa: BLE001 - any exception means that the test fails
            yield False
        else:
            yield True


@pytest.mark.parametrize(("body", "value"), HONEST.values(), ids=HONEST.keys())
def test_a_mutant_of_an_honest_test_fails(body: str, value: object) -> None:
    for _ in range(5):
        assert not any(outcomes(body, value))


@pytest.mark.parametrize(("body", "value"), AGREES.values(), ids=AGREES.keys())
def test_a_mutant_passes_if_the_value_agrees_with_everything(body: str, value: object) -> None:
    assert all(outcomes(body, value))


def test_a_failing_assertion_does_not_hide_the_others() -> None:
    body = "assert f() == 1\n    assert f() == 2\n    assert isinstance(f(), object)"
    assert sorted(outcomes(body, Anything())) == [False, True, True]


@pytest.mark.parametrize(
    "body",
    [
        "f()",
        "check_valid('x')",
        "check_it(f(), 'x')",
        "for x in f():\n        assert x",
        "if f():\n        assert f()",
        "if f():\n        return\n    assert f() == 1",
        "try:\n        assert f()\n    except AssertionError:\n        pass",
        "with contextlib.suppress(AssertionError):\n        assert f()",
        "def inner():\n        assert f()",
        "try:\n        f()\n    except ValueError:\n        pytest.fail('x')",
    ],
)
def test_an_assertion_that_may_not_run_is_not_marked_as_always_reached(body: str) -> None:
    mutated = mutate_tests(f"def test_it():\n    {body}\n".encode(), {"test_it": 12})
    assert mutated is not None
    assert not any(mutant.always_reached for mutant in mutated.mutants)


def test_an_assertion_that_may_not_run_is_mutated_in_a_copy() -> None:
    mutated = _mutate("def test_it():\n    for x in f():\n        if x:\n            assert x == 1\n", 12)
    (mutant,) = mutated.mutants
    assert (mutant.always_reached, set(mutant.lines), mutant.name != "test_it") == (False, {4}, True)


def test_the_test_itself_is_mutated_and_copies_stand_beside_it() -> None:
    source = (
        "class TestA:\n    def test_it(self):\n        assert 1 == 1\n        assert 2 == 2\n        assert 3 == 3\n"
    )
    mutated = _mutate(source, 1, "TestA::test_it")
    names = [mutant.name for mutant in mutated.mutants]
    assert len(names) == 2
    assert names[1] == "TestA::test_it"
    assert names[0].startswith("TestA::test_")
    assert names[0].endswith("_it")
    body = ast.parse(mutated.text).body[-1]
    assert isinstance(body, ast.ClassDef)
    assert [node.name for node in body.body if isinstance(node, ast.FunctionDef)] == [
        "test_it",
        names[0].split("::")[1],
    ]


def _mutate(source: str, most_copies: int, name: str = "test_it") -> MutatedFile:
    mutated = mutate_tests(source.encode(), {name: most_copies})
    assert mutated is not None
    return mutated


def test_unittest_assertions_are_mutated() -> None:
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
    def test_h(self): self.assertEqual(first=1 + 1, second=2)
    def test_i(self):
        with self.assertRaises(expected_exception=ValueError): int("x")
    def test_j(self): self.assertCountEqual([1, 2], [2, 1])
    def test_k(self): self.assertIsNone(obj=None)
"""
    mutated = mutate_tests(source, {f"T::test_{letter}": 3 for letter in "abcdefghijk"})
    assert mutated is not None
    assert {mutant.test for mutant in mutated.mutants} == {f"T::test_{letter}" for letter in "abcdefhijk"}
    names: dict[str, Any] = {}
    exec(compile(mutated.text, "t", "exec"), names)
    for mutant in mutated.mutants:
        case: unittest.TestCase = names["T"](mutant.name.split("::")[1])
        with pytest.raises(BaseException, match=r".*"):
            case.debug()


@pytest.mark.parametrize("source", [b"def f(:", b"\xff\xfe", b"x = '\0'"])
def test_a_file_that_is_not_python_is_not_mutated(source: bytes) -> None:
    assert mutate_tests(source, {}) is None
