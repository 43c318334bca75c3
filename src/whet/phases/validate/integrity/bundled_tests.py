"""What a change does to tests and to their process beside what it is for, by itself and in the lane of its own tests."""

from collections.abc import Collection

from whet.domain.suite import Outcome, SuiteReport
from whet.domain.verdict import Safeguard, Verdict
from whet.phases.validate.integrity.test_ids import split

NAME, PROCESS = "beside its own tests", "left behind"
_TAKEN_UP = (Outcome.SKIPPED, Outcome.XFAILED, Outcome.XPASSED)


def differing(graded: SuiteReport, head: SuiteReport, flaky: Collection[str], edited: Collection[str]) -> list[str]:
    """Tests of the base that do otherwise with the change's test files than with the base's.

    That a test file which the change edits takes a test up again that was skipped or expected to fail is as it should be.
    """
    return sorted(
        test
        for test, outcome in graded.outcomes.items()
        if test not in flaky
        and (now := head.outcomes.get(test)) is not outcome
        and not (now is Outcome.PASSED and outcome in _TAKEN_UP and split(test)[0] in edited)
    )


def unlike(one: SuiteReport, other: SuiteReport) -> list[str]:
    """What was there in both runs, and looked otherwise."""
    return sorted(name for name, digest in one.looks.items() if other.looks.get(name, digest) != digest)


def judge_process(base: SuiteReport, green: SuiteReport, reverted: SuiteReport) -> Safeguard:
    """What a patch leaves behind in the process that the tests judge in; the tree's own modules may change.

    What is not even the same in both runs without the patch says nothing about it.
    """
    unsteady = unlike(base, reverted)
    changed = [name for name in unlike(base, green) if not name.endswith(".py") and name not in unsteady]
    if changed:
        return Safeguard(PROCESS, Verdict.INCONCLUSIVE, f"with the patch the tests leave {', '.join(changed)} altered")
    return Safeguard(PROCESS, Verdict.PASSED, "the library and its settings are left as without the patch")


def judge(graded: SuiteReport, head: SuiteReport, differ: Collection[str], edited: Collection[str]) -> Safeguard:
    """The code is the same in both runs, so what is in its modules once all tests are collected has to be, too."""
    if patched := [name for name in unlike(graded, head) if name not in edited]:
        words = f"its test files put something else in {patched[0]} when they are imported"
        return Safeguard(NAME, Verdict.INCONCLUSIVE, words)
    if not differ:
        return Safeguard(NAME, Verdict.PASSED, "every test of the base does as it does without them")
    test, more = min(differ), f" and {len(differ) - 1} more" if len(differ) > 1 else ""
    words = f"{test}{more} is {graded.outcomes[test].value} with the base's test files, and something else with its own"
    return Safeguard(NAME, Verdict.INCONCLUSIVE, words)
