"""Confirm a base run that was read from a cache file, so that a forged or stale file cannot make a patch pass.

The ids, the doctests and the state of the libraries come from collecting the suite on the base now. Of the outcomes, those
that could excuse a patch run again on the base: every test that is not green there or with the patch, besides the targets
and the tests that differ (reverted_run.py). What is left unconfirmed is that a test which is green with the patch was green
before it; a file that lies about that can only hide a target.
"""

from dataclasses import replace

from whet.domain.suite import Outcome, SuiteReport
from whet.kit import Kit
from whet.target.suite import PER_TEST_RUNNERS


def confirm_collection(kit: Kit, base: SuiteReport) -> SuiteReport | None:
    """Collect the suite on the base and return the report with what was collected; None if the tests are not the same."""
    if kit.policy.tests.runner not in PER_TEST_RUNNERS:
        return None
    listed = kit.suite.list_tests(base.tree)
    if not listed.complete or listed.outcomes.keys() != base.outcomes.keys():
        return None
    if any(listed.outcomes[test].red and not base.outcomes[test].red for test in listed.outcomes):
        return None
    return replace(base, doctests=listed.doctests, looks=listed.looks)


def unconfirmed_outcomes(base: SuiteReport, patched: SuiteReport) -> set[str]:
    """Return the tests of the base whose outcome could excuse the patch: all that are not green on both sides."""
    return {
        test
        for test, outcome in base.outcomes.items()
        if outcome is not Outcome.PASSED or patched.outcomes.get(test) is not Outcome.PASSED
    }  # fmt: skip


def has_unseen_libraries(base: SuiteReport, patched: SuiteReport) -> bool:
    """True if the patched run has loaded a part of the library that was not loaded on the base, so cannot be compared."""
    return any(name not in base.looks for name in patched.looks if not name.endswith(".py"))
