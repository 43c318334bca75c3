from collections.abc import Callable
from typing import Any

import pytest

from whet.runtime.reload.compatibility import class_problem, parameter_problem
from whet.runtime.reload.run_cases import same


def old(a: int, b: int = 0, *, c: int = 0) -> None: ...
def gives_more(a: int, b: int = 0, d: int = 0, *, c: int = 0, e: int = 0, **rest: int) -> None: ...
def other_defaults(a: int = 1, b: int = 2, *, c: int = 3) -> None: ...
def starred(a: int, *more: int) -> None: ...
def starred_later(a: int, b: int = 0, *more: int) -> None: ...
def swapped(b: int = 0, a: int = 0, *, c: int = 0) -> None: ...
def between(a: int, d: int = 0, b: int = 0, *, c: int = 0) -> None: ...
def asks(a: int, b: int, *, c: int = 0) -> None: ...
def asks_new(a: int, b: int = 0, *, c: int = 0, d: int) -> None: ...
def drops(a: int, *, c: int = 0) -> None: ...
def only_named(a: int, *, b: int = 0, c: int = 0) -> None: ...


@pytest.mark.parametrize(
    ("before", "after"), [(old, old), (old, gives_more), (old, other_defaults), (starred, starred)]
)
def test_a_signature_that_accepts_all_previous_calls_is_compatible(
    before: Callable[..., Any], after: Callable[..., Any]
) -> None:
    assert parameter_problem(before, after) == ""


@pytest.mark.parametrize(
    ("before", "after"),
    [(old, new) for new in (swapped, between, asks, asks_new, drops, only_named, starred)] + [(starred, starred_later)],
)
def test_a_signature_under_which_a_previous_call_changes_meaning_is_refused(
    before: Callable[..., Any], after: Callable[..., Any]
) -> None:
    assert parameter_problem(before, after)


CLASS = b"class Outer:\n    class Inner:\n        x = 1\n        def run(self): return 1\n        def more(self): return 1\n"


def test_only_the_method_itself_may_change_in_its_class() -> None:
    name = "Outer.Inner.run"
    assert class_problem(CLASS, CLASS.replace(b"run(self): return 1", b"run(self): return 2"), name) == ""
    assert class_problem(CLASS, CLASS.replace(b"x = 1", b"x = 2"), name)
    assert class_problem(CLASS, CLASS.replace(b"more(self): return 1", b"more(self): return 2"), name)
    assert class_problem(CLASS, b"", name)
    assert class_problem(CLASS, b"", "function") == ""


@pytest.mark.parametrize(
    ("expected", "actual", "tolerance", "ignore"),
    [
        ({"a": 1, "at": 5}, {"a": 1, "at": 6}, 0.0, ("at",)),
        ({"a": 1}, {"a": 1, "at": 6}, 0.0, ("at",)),
        ([1.0, (2.0,)], [1.0001, (2.0,)], 0.001, ()),
        (None, None, 0.0, ()),
        (float("inf"), float("inf"), 0.1, ()),
    ],
)
def test_values_that_count_as_equal(
    expected: object, actual: object, tolerance: float, ignore: tuple[str, ...]
) -> None:
    assert same(expected, actual, tolerance, ignore)


@pytest.mark.parametrize(
    ("expected", "actual", "tolerance"),
    [
        ({"a": 1}, {"a": 1, "b": 2}, 0.0),
        ({"a": 1, "b": 2}, {"a": 1}, 0.0),
        ([1, 2], [1], 0.0),
        ([1, 2], (1, 2), 0.0),
        (1.0, 1.0001, 0.0),
        (1.0, 1.1, 0.01),
        (True, 0.95, 0.1),
        ("1", 1, 0.5),
    ],
)
def test_values_that_count_as_different(expected: object, actual: object, tolerance: float) -> None:
    assert not same(expected, actual, tolerance, ())
