"""The tests that a patch brings must leave the outcomes of the other tests alone."""

import pytest

from whet.domain.suite import Outcome, SuiteReport
from whet.domain.verdict import Verdict
from whet.phases.validate.integrity.safeguards.bundled_tests import changed_outcomes, judge_bundled
from whet.phases.validate.integrity.safeguards.process_state import judge_process
from whet.phases.validate.integrity.subject import Reports

P, F, S, X, XP = Outcome.PASSED, Outcome.FAILED, Outcome.SKIPPED, Outcome.XFAILED, Outcome.XPASSED
HELD, EDITED = "tests/test_a.py::test_it", "tests/test_b.py::test_it[1]"


def report(outcomes: dict[str, Outcome], **looks: str) -> SuiteReport:
    return SuiteReport(tree="t", outcomes=outcomes, seconds=1.0, complete=True, looks=looks)


UNCHANGED = {
    "the same": ({HELD: P, EDITED: F}, {HELD: P, EDITED: F}),
    "new tests": ({HELD: P}, {HELD: P, "tests/test_c.py::test_new": P}),
    "a skipped test of an edited file passes": ({EDITED: S}, {EDITED: P}),
    "an expected failure of an edited file passes": ({EDITED: XP}, {EDITED: P}),
    "a flaky one": ({"flaky": P}, {"flaky": F}),
}
CHANGED = {
    "a red test of a file that it does not touch is green": ({HELD: F}, {HELD: P}),
    "a red test is edited until it is green": ({EDITED: F}, {EDITED: P}),
    "a red test is removed": ({EDITED: F}, {}),
    "a test is skipped": ({EDITED: P}, {EDITED: S}),
    "a test is expected to fail": ({EDITED: P}, {EDITED: X}),
    "a skipped test of another file runs": ({HELD: S}, {HELD: P}),
}


@pytest.mark.parametrize(("patched", "head"), UNCHANGED.values(), ids=UNCHANGED.keys())
def test_own_tests_that_leave_the_others_alone_pass(patched: dict[str, Outcome], head: dict[str, Outcome]) -> None:
    changed = changed_outcomes(report(patched), report(head), ["flaky"], ["tests/test_b.py"])
    assert judge_bundled(report(patched), report(head), changed, ["tests/test_b.py"]).verdict is Verdict.PASSED


@pytest.mark.parametrize(("patched", "head"), CHANGED.values(), ids=CHANGED.keys())
def test_own_tests_that_change_the_outcome_of_others_are_inconclusive(
    patched: dict[str, Outcome], head: dict[str, Outcome]
) -> None:
    changed = changed_outcomes(report(patched), report(head), [], ["tests/test_b.py"])
    assert judge_bundled(report(patched), report(head), changed, ["tests/test_b.py"]).verdict is Verdict.INCONCLUSIVE


@pytest.mark.parametrize(
    ("before", "now", "of_process", "of_own_tests"),
    [
        ({"json": "1", "a.py": "1"}, {"json": "1", "a.py": "1"}, Verdict.PASSED, Verdict.PASSED),
        ({"json": "1"}, {"json": "2"}, Verdict.INCONCLUSIVE, Verdict.INCONCLUSIVE),
        ({"a.py": "1"}, {"a.py": "2"}, Verdict.PASSED, Verdict.INCONCLUSIVE),
        ({"tests/test_b.py": "1"}, {"tests/test_b.py": "2"}, Verdict.PASSED, Verdict.PASSED),
        ({"json": "1"}, {"re": "2", "b.py": "1"}, Verdict.PASSED, Verdict.PASSED),
    ],
)
def test_changed_modules_are_reported(
    before: dict[str, str], now: dict[str, str], of_process: Verdict, of_own_tests: Verdict
) -> None:
    base, patched = report({}, **before), report({}, **now)
    assert judge_process(Reports(base, patched, base, None)).verdict is of_process
    unstable = judge_process(Reports(base, patched, patched, None))
    assert unstable.verdict is Verdict.PASSED, "the state differs without the patch, too"
    assert judge_bundled(base, patched, [], ["tests/test_b.py"]).verdict is of_own_tests
