import pytest

from whet.domain.suite import Failure, Outcome, SuiteReport
from whet.phases.validate.integrity.safeguards.other_red_tests import (
    changed_functions,
    points_to,
    touched_lines,
    why_related,
)
from whet.target.suspicion.blame import CodePlace

TARGET, OTHER = "t.py::target", "t.py::other"


def failure(exception: str, message: str = "", function: str = "mean") -> Failure:
    return Failure(exception=exception, message=message, frames=(("m.py", 3, function),), text="")


def report(failures: dict[str, Failure]) -> SuiteReport:
    outcomes = dict.fromkeys(failures, Outcome.FAILED)
    return SuiteReport(tree="t", outcomes=outcomes, seconds=1.0, complete=True, failures=failures)


@pytest.mark.parametrize(
    ("before", "after", "why"),
    [
        (failure("AssertionError", "1 == 2"), failure("AssertionError", "1 == 2"), "the same AssertionError before and after"),
        (failure("AssertionError", "1 == 2"), failure("AssertionError", "3 == 2"), "AssertionError before and after, with another message"),
        (failure("KeyError"), failure("TypeError"), "KeyError before, TypeError with the patch"),
        (failure("KeyError"), failure("KeyError", function="total"), "KeyError before, KeyError with the patch"),
        (failure("ZeroDivisionError"), failure("ZeroDivisionError"), "the same ZeroDivisionError as the target tests"),
        (failure("OSError", "port 1234"), failure("OSError", "port 77"), ""),
        (failure("AssertionError", "<A at 0x12>"), failure("AssertionError", "<A at 0x34>"), "the same AssertionError before and after"),
    ],
)  # fmt: skip
def test_a_failure_is_related_if_it_asserts_changes_or_is_the_exception_of_a_target(
    before: Failure, after: Failure, why: str
) -> None:
    base = report({TARGET: failure("ZeroDivisionError"), OTHER: before})
    assert why_related(OTHER, (base, report({OTHER: after})), [TARGET]) == why


def test_changed_functions_are_those_of_the_base_that_differ_or_are_gone() -> None:
    old = "X = 1\ndef a():\n    return 1\ndef b():\n    return 2\nclass C:\n    def d(self):\n        return 3\n"
    new = "X = 2\ndef a():\n    return 1\nclass C:\n    def d(self):\n        return 4\ndef e():\n    pass\n"
    assert changed_functions({"m.py": (old, new)}) == {CodePlace("m.py", "b"), CodePlace("m.py", "C.d")}
    assert changed_functions({"m.py": (old, "def broken(:\n")}) == {
        CodePlace("m.py", name) for name in ("a", "b", "C.d")
    }


def test_touched_lines_are_replaced_and_removed_ones_and_those_after_an_insertion() -> None:
    old = "a\nb\nc\nd\ne\n"
    assert touched_lines({"m.py": (old, "a\nB\nc\ne\n")}) == {("m.py", 2), ("m.py", 4)}
    assert touched_lines({"m.py": (old, "a\nb\nnew\nc\nd\ne\n")}) == {("m.py", 3)}


def test_a_test_points_to_the_change_by_a_touched_line_and_nothing_unchanged_to_blame() -> None:
    mean, total = CodePlace("m.py", "mean"), CodePlace("m.py", "total")
    changed, touched = frozenset({mean}), frozenset({("m.py", 3)})
    assert points_to({mean: frozenset({2, 3})}, changed, touched)
    assert points_to({CodePlace("m.py", "mean.inner"): frozenset({3})}, changed, touched)
    assert not points_to({mean: frozenset({2})}, changed, touched)
    assert not points_to({mean: frozenset({3}), total: frozenset({9})}, changed, touched)
    assert not points_to({}, changed, touched)
