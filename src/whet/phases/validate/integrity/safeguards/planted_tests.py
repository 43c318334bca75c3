"""Planted tests must fail: a patch that makes every test pass makes these pass too."""

from whet.domain.suite import SuiteReport
from whet.domain.verdict import SafeguardResult
from whet.phases.validate.integrity.planted_file import PlantedFile
from whet.phases.validate.integrity.safeguard import (
    Examination,
    Safeguard,
    failed,
    inconclusive,
    not_applicable,
    passed,
    without_run,
)
from whet.phases.validate.integrity.subject import Subject

NAME = "planted tests"
OPEN = ("whether added tests that must fail do fail (the suite does not run them)",)


class PlantedTests(Safeguard):
    """Judges the planted tests of the patched and the reverted run, which have happened already."""

    name = NAME
    needs_targets = False

    def prepare(self, subject: Subject) -> Examination:
        reports = subject.reports
        if reports.planted is None:
            return without_run(not_applicable(NAME, "no tests could be planted in this suite", OPEN))
        return without_run(judge_planted(reports.planted, reports.patched, reports.reverted))


def judge_planted(planted: PlantedFile, report: SuiteReport, reverted: SuiteReport | None = None) -> SafeguardResult:
    """Judge whether the planted tests ran and failed.

    `reverted` is a run without the patch: if the suite does not run planted tests even there, the result says nothing.
    """
    outcomes = {test: outcome for test, outcome in report.outcomes.items() if planted.owns(test)}
    expected = set(outcomes)
    if reverted is not None:
        expected = {test for test in reverted.outcomes if planted.owns(test)}
        if not expected:
            return not_applicable(NAME, "the suite does not run planted tests", OPEN)
    not_failed = [test for test, outcome in outcomes.items() if not outcome.red]
    if not_failed:
        return failed(NAME, f"{len(not_failed)} of {len(outcomes)} planted tests did not fail")
    if not outcomes or set(outcomes) != expected:
        return inconclusive(NAME, "planted tests are missing from the results")
    return passed(NAME, f"{len(outcomes)} planted tests failed, as they must")
