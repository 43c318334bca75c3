"""holes.py: the value of one hole is forced, and expressions are found that have it."""

import importlib.util
import os
from collections.abc import Callable
from types import ModuleType
from typing import Any

import pytest

from whet.target.scripts import INSIDE

Run = Callable[..., Any]
LATE = """\
def late(due, day, paid):
    for number in due:
        if {}:
            return number
"""


def _load() -> ModuleType:
    spec = importlib.util.spec_from_file_location("inside_holes", INSIDE / "holes.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


holes = _load()


def running(test: str) -> None:
    """Say that another test runs; pytest does so at the start of each."""
    os.environ["PYTEST_CURRENT_TEST"] = f"t.py::{test} (call)"


def filled(expression: str, forced: dict[str, Any], source: str = LATE) -> tuple[Any, Run]:
    """Return the holes, and the function with the expression in its hole."""
    running("red")
    names: dict[str, Any] = {}
    exec(compile(source.format(f"{holes.NAME}(lambda: ({expression}))"), "late.py", "exec"), names)
    filling = holes.Holes(forced)
    names[holes.NAME] = filling.fill
    return filling, names["late"]


def grammar(*atoms: str, truth: bool = True, **more: Any) -> dict[str, Any]:
    return {
        "atoms": atoms, "unary": ["len(a)", "not a"], "binary": ["a + b", "a < b", "a == b"], "truth": truth,
        "failing": ["t.py::red"], **more,
    }  # fmt: skip


def test_without_a_force_the_expression_decides() -> None:
    _, late = filled("number < day", {})
    assert late([5, 1, 2], 3, []) == 1


def test_every_visit_or_one_of_them_can_be_forced() -> None:
    assert filled("number < day", {"": [-1, "True"]})[1]([5, 1, 2], 3, []) == 5
    assert filled("number < day", {"": [0, None]})[1]([5, 1, 2], 3, []) == 5
    assert filled("number < day", {"t.py::red": [1, None]})[1]([5, 1, 2], 3, []) == 2
    assert filled("number < day", {"t.py::other": [1, None]})[1]([5, 1, 2], 3, []) == 1


def test_a_forced_visit_does_not_evaluate_an_expression_that_would_raise() -> None:
    assert filled("number < nowhere", {"": [-1, "True"]})[1]([5], 3, []) == 5


def test_a_condition_that_fits_all_visits_is_found_joined_to_the_old_one() -> None:
    filling, late = filled("number < day", {"t.py::red": [1, None]})
    assert late([5, 1, 2], 3, [1]) == 2
    running("green")
    assert late([5, 1], 3, [4]) == 1
    fits = filling.fitting(grammar("number < day", "number", "paid", binary=["a in b", "a not in b"]))
    assert ([["and", 0, [3, 1, 2]], 1.0]) in fits


def test_of_two_conditions_the_one_that_passing_tests_agree_with_comes_first() -> None:
    filling, late = filled("number < day", {"t.py::red": [0, "False"]})
    assert late([1], 3, 0) is None
    running("green")
    assert late([1], 3, 9) == 1
    fits = filling.fitting(grammar("number < day", "number", "day", "paid"))
    assert fits[0] == [3, 1.0]
    assert any(agreement == 0.0 for _, agreement in fits)


def test_a_value_is_found_with_its_type() -> None:
    filling, late = filled("day", {"t.py::red": [0, "3"]}, "def late(due, day, paid):\n    return {}\n")
    assert late([1, 2], 5, 1) == 3
    structures = [structure for structure, _ in filling.fitting(grammar("day", "due", "paid", truth=False))]
    assert [2, [0, 1], 2] in structures  # len(due) + paid
    filling, late = filled("day", {"t.py::red": [0, "True"]}, "def late(due, day, paid):\n    return {}\n")
    assert late([1], 5, 1) is True
    assert [0, 1] not in [structure for structure, _ in filling.fitting(grammar("day", "due", truth=False))]


def test_only_numbers_are_ordered() -> None:
    for due, day, fits in ((1, 3, True), ("1", "3", False), ([1], [3], False)):
        filling, late = filled("paid", {"t.py::red": [-1, "True"]}, "def late(due, day, paid):\n    return {}\n")
        assert late(due, day, 0)
        found = filling.fitting(grammar("due", "day", unary=[], binary=["a < b"]))
        assert ([0, 0, 1] in [structure for structure, _ in found]) is fits


def test_names_of_the_function_around_a_comprehension_are_in_scope() -> None:
    source = "def late(due, day, paid):\n    return [number for number in due if {}]\n"
    filling, late = filled("number", {"t.py::red": [-1, "False"]}, source)
    assert late([1, 2], 0, 0) == []
    assert [1, 1.0] in filling.fitting(grammar("number", "day"))


def test_the_scope_is_that_before_the_expression_changes_it() -> None:
    filling, late = filled("due.pop()", {}, "def late(due, day, paid):\n    return {}\n")
    assert late([7], 1, 1) == 7
    assert filling.fitting(grammar("due[-1]"))[0] == [0, 1.0]


def test_a_loop_without_end_is_left() -> None:
    source = "def late(due, day, paid):\n    while {}:\n        pass\n"
    with pytest.raises(holes.Endless):
        filled("False", {"": [-1, "True"]}, source)[1]([], 0, 0)


def test_a_hole_that_no_failing_test_visits_has_nothing_that_fits() -> None:
    assert filled("number", {})[0].fitting(grammar("number")) == []
