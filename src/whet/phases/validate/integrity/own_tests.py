"""The lane in which a change's own tests run: what it does to the tests that it did not bring."""

from collections.abc import Collection

from whet.domain.suite import Outcome, SuiteReport
from whet.domain.verdict import Safeguard, Verdict
from whet.phases.validate.integrity.names import split

NAME = "beside its own tests"
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


def judge(graded: SuiteReport, differ: Collection[str]) -> Safeguard:
    if not differ:
        return Safeguard(NAME, Verdict.PASSED, "every test of the base does as it does without them")
    test, more = min(differ), f" and {len(differ) - 1} more" if len(differ) > 1 else ""
    words = f"{test}{more} is {graded.outcomes[test].value} with the base's test files, and something else with its own"
    return Safeguard(NAME, Verdict.INCONCLUSIVE, words)
