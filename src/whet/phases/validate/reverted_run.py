"""The second run without the patch: the suite on the reverted tree, which has the same content as the base.

The whole suite has run on that content already, as the base. So only the tests that decide something run again: the
targets, and every test whose outcome differs between the base and the patch. The whole suite runs again only if one of them
does not do what it did in the base run, because a test may depend on the tests around it.
"""

from collections.abc import Collection
from dataclasses import dataclass, replace

from whet.domain.suite import Outcome, SuiteReport
from whet.kit import Kit
from whet.phases.validate.integrity.planted_file import PlantedFile, without_planted
from whet.phases.validate.integrity.safeguards.process_state import changed_libraries
from whet.phases.validate.suite_run import run_suite
from whet.phases.validate.unverified_base import has_unseen_libraries, unconfirmed_outcomes

_FEW = 20  # naming so many tests is never slower than running all


@dataclass(frozen=True)
class RevertedRun:
    """The run on the reverted tree. `repeated` are the tests of the base that ran again there. `contradicts` is true if
    these outcomes differ from a base run that a cache file holds, so that the cached run must not be used."""

    report: SuiteReport
    repeated: frozenset[str]
    contradicts: bool = False


def run_reverted(
    kit: Kit, tree: str, base: SuiteReport, patched: SuiteReport, targets: Collection[str], planted: PlantedFile | None
) -> RevertedRun:
    """Run the tests that decide something again without the patch, and the planted tests with them.

    A red test that does something else when it runs without its neighbours is reported with that outcome, so that it
    proves nothing. What any other test does is decided by a run of the whole suite, because calling such a test flaky
    would excuse the patch.
    """
    tests = select_repeated(base, without_planted(patched, planted), targets)
    alone: dict[str, Outcome] = {}
    if planted and not needs_whole_run(base, patched, tests):
        few = run_suite(kit, tree, "reverted", tests or (planted.path,), planted=planted)
        differing = [test for test in tests if few.outcomes.get(test) is not base.outcomes[test]]
        if few.complete and not differing:
            return RevertedRun(few, frozenset(tests))
        alone = {test: few.outcomes[test] for test in differing if test in few.outcomes}
    if base.from_file:
        return RevertedRun(base, frozenset(), contradicts=True)
    whole = run_suite(kit, tree, "reverted, all tests", planted=planted)
    if whole.complete:
        kit.suite.remember(without_planted(whole, planted))
    was_red = {test: outcome for test, outcome in alone.items() if base.outcomes[test].red}
    return RevertedRun(replace(whole, outcomes={**whole.outcomes, **was_red}), frozenset(base.outcomes))


def select_repeated(base: SuiteReport, patched: SuiteReport, targets: Collection[str]) -> tuple[str, ...]:
    """Return the targets of the base and the tests that regressed, were mended, went missing or changed otherwise."""
    chosen = {test for test, outcome in base.outcomes.items() if patched.outcomes.get(test) is not outcome}
    if base.from_file:
        chosen |= unconfirmed_outcomes(base, patched)
    return tuple(test for test in base.outcomes if test in chosen or test in targets)


def needs_whole_run(base: SuiteReport, patched: SuiteReport, tests: Collection[str]) -> bool:
    """True if a few tests are not enough: most tests differ, or the patch leaves a library changed.

    Which libraries differ from run to run without any patch is seen only in a second run of all tests.
    """
    if base.from_file and has_unseen_libraries(base, patched):
        return True
    return len(tests) > max(_FEW, len(base.outcomes) // 2) or bool(changed_libraries(base, patched))
