"""The tests that a patch brings must not change the outcomes of the base's tests.

This safeguard needs a run with the patch's own test files; own_tests.py makes that run and calls it.
"""

from collections.abc import Collection

from whet.domain.suite import Outcome, SuiteReport
from whet.domain.verdict import SafeguardResult
from whet.phases.validate.integrity.safeguard import inconclusive, passed
from whet.phases.validate.integrity.safeguards.process_state import differing_state
from whet.phases.validate.integrity.test_ids import split_id

NAME = "bundled tests"
_MAY_BECOME_PASSED = (Outcome.SKIPPED, Outcome.XFAILED, Outcome.XPASSED)


def changed_outcomes(
    patched: SuiteReport, with_own: SuiteReport, flaky: Collection[str], own_files: Collection[str]
) -> list[str]:
    """Return the tests of the base whose outcome differs between the base's test files and the patch's own.

    A test that was skipped or expected to fail may pass, if it is in a file that the patch edits.
    """
    changed = []
    for test, outcome in patched.outcomes.items():
        new_outcome = with_own.outcomes.get(test)
        if test in flaky or new_outcome is outcome:
            continue
        is_enabled = new_outcome is Outcome.PASSED and outcome in _MAY_BECOME_PASSED
        if not (is_enabled and split_id(test)[0] in own_files):
            changed.append(test)
    return sorted(changed)


def judge_bundled(
    patched: SuiteReport, with_own: SuiteReport, changed: Collection[str], own_files: Collection[str]
) -> SafeguardResult:
    """Judge the run with the patch's own test files; `changed` are tests of the base with another outcome in it.

    The code is the same in both runs, so its modules must be the same too once all tests are collected.
    """
    modules = [name for name in differing_state(patched, with_own) if name not in own_files]
    if modules:
        return inconclusive(NAME, f"importing the patch's test files changes the contents of {modules[0]}")
    if not changed:
        return passed(NAME, "every test of the base has the same outcome with the patch's own tests")
    test = min(changed)
    more = f" and {len(changed) - 1} more" if len(changed) > 1 else ""
    outcome = patched.outcomes[test].value
    words = f"{test}{more} is {outcome} with the base's test files, and has another outcome with the patch's"
    return inconclusive(NAME, words)
