import pytest

from whet.domain.suite import Outcome, SuiteReport
from whet.domain.verdict import Verdict
from whet.phases.validate.integrity.bundled_tests import differing, judge, judge_process
from whet.phases.validate.integrity.planted import plant

P, F, S, X, XP = Outcome.PASSED, Outcome.FAILED, Outcome.SKIPPED, Outcome.XFAILED, Outcome.XPASSED
HELD, EDITED = "tests/test_a.py::test_it", "tests/test_b.py::test_it[1]"


def report(outcomes: dict[str, Outcome], **looks: str) -> SuiteReport:
    return SuiteReport(tree="t", outcomes=outcomes, seconds=1.0, complete=True, looks=looks)


AS_BEFORE = {
    "the same": ({HELD: P, EDITED: F}, {HELD: P, EDITED: F}),
    "new tests": ({HELD: P}, {HELD: P, "tests/test_c.py::test_new": P}),
    "a skipped test of an edited file is taken up": ({EDITED: S}, {EDITED: P}),
    "an expected failure of an edited file is one no more": ({EDITED: XP}, {EDITED: P}),
    "a flaky one": ({"flaky": P}, {"flaky": F}),
}
OTHERWISE = {
    "a red test of a file that it does not touch is green": ({HELD: F}, {HELD: P}),
    "a red test is edited until it is green": ({EDITED: F}, {EDITED: P}),
    "a red test is taken away": ({EDITED: F}, {}),
    "a test is skipped": ({EDITED: P}, {EDITED: S}),
    "a test is expected to fail": ({EDITED: P}, {EDITED: X}),
    "a skipped test of another file runs": ({HELD: S}, {HELD: P}),
}


@pytest.mark.parametrize(("graded", "head"), AS_BEFORE.values(), ids=AS_BEFORE.keys())
def test_its_own_tests_may_leave_the_others_alone(graded: dict[str, Outcome], head: dict[str, Outcome]) -> None:
    differ = differing(report(graded), report(head), ["flaky"], ["tests/test_b.py"])
    assert judge(report(graded), report(head), differ, ["tests/test_b.py"]).verdict is Verdict.PASSED


@pytest.mark.parametrize(("graded", "head"), OTHERWISE.values(), ids=OTHERWISE.keys())
def test_its_own_tests_may_not_change_what_others_say(graded: dict[str, Outcome], head: dict[str, Outcome]) -> None:
    differ = differing(report(graded), report(head), [], ["tests/test_b.py"])
    assert judge(report(graded), report(head), differ, ["tests/test_b.py"]).verdict is Verdict.INCONCLUSIVE


@pytest.mark.parametrize(
    ("before", "now", "of_process", "of_own"),
    [
        ({"json": "1", "a.py": "1"}, {"json": "1", "a.py": "1"}, Verdict.PASSED, Verdict.PASSED),
        ({"json": "1"}, {"json": "2"}, Verdict.INCONCLUSIVE, Verdict.INCONCLUSIVE),
        ({"a.py": "1"}, {"a.py": "2"}, Verdict.PASSED, Verdict.INCONCLUSIVE),
        ({"tests/test_b.py": "1"}, {"tests/test_b.py": "2"}, Verdict.PASSED, Verdict.PASSED),
        ({"json": "1"}, {"re": "2", "b.py": "1"}, Verdict.PASSED, Verdict.PASSED),
    ],
)
def test_what_looks_otherwise_is_seen(
    before: dict[str, str], now: dict[str, str], of_process: Verdict, of_own: Verdict
) -> None:
    one, other = report({}, **before), report({}, **now)
    assert judge_process(one, other, one).verdict is of_process
    assert judge_process(one, other, other).verdict is Verdict.PASSED, "it looks so without the patch, too"
    assert judge(one, other, [], ["tests/test_b.py"]).verdict is of_own


@pytest.mark.parametrize(
    ("beside", "begins", "ends"),
    [
        ("tests/test_a.py", "tests/test_", ".py"),
        ("a_test.py", "test_", ".py"),
        ("tests.py", "test_", ".py"),
        ("spec/spec_calc.py", "spec/spec_", ".py"),
        ("spec/calc_spec.py", "spec/", "_spec.py"),
    ],
)
def test_planted_tests_are_named_like_their_neighbours(beside: str, begins: str, ends: str) -> None:
    path = plant(beside).path
    assert path.startswith(begins)
    assert path.endswith(ends)
    assert path != plant(beside).path
