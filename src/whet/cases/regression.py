"""The test file and the known failures of a finding that the target's own suite does not show."""

from whet.cases.from_suggestion import case_as_test
from whet.domain.file_review import ReviewedDefect
from whet.domain.finding import Finding, FindingKind
from whet.domain.payload import BrokenFormula, ClonedMistake, FailingCall, FailingTest, SlowWindow
from whet.domain.regression import Regression
from whet.domain.suggestion import Suggestion
from whet.domain.suite import Failure
from whet.domain.timed_calls import TimedCalls
from whet.kit import Kit
from whet.store.codec import decode

_WITH_REPLAY: dict[str, type[BrokenFormula | FailingCall | ClonedMistake | ReviewedDefect]] = {
    payload.kind: payload for payload in (BrokenFormula, FailingCall, ClonedMistake, ReviewedDefect)
}
"""Payloads that may bring a test file, and how its tests fail."""


def regression_of(finding: Finding, tree: str, kit: Kit) -> Regression | None:
    """Return the test file for a suggestion, failing calls, a broken formula, a clone of a mended bug or a reviewed defect;
    None if the suite shows the finding, or none can be written."""
    signal = finding.signals[0]
    if signal.kind in _WITH_REPLAY:
        return decode(_WITH_REPLAY[signal.kind], signal.payload).replay
    if signal.kind != Suggestion.kind:
        return None
    suggestion = decode(Suggestion, signal.payload)
    source = kit.git.read(tree, suggestion.where) if suggestion.where else None
    if not suggestion.case or source is None:
        return None
    return case_as_test(suggestion, source.decode(), [entry.path for entry in kit.git.entries(tree)], kit.is_test)


def has_target(finding: Finding) -> bool:
    """True if a test shows the finding, or whet can write one that does."""
    if finding.kind == FindingKind.SUGGESTED:
        return bool(decode(Suggestion, finding.signals[0].payload).case)
    if finding.signals[0].kind in _WITH_REPLAY:
        return decode(_WITH_REPLAY[finding.signals[0].kind], finding.signals[0].payload).replay is not None
    return finding.kind == FindingKind.FAILING_TEST and any("::" in test for test in finding.subjects)


def targets_of(finding: Finding, tests: tuple[str, ...]) -> dict[str, tuple[str, ...]]:
    """Return what a patch for the finding must turn right, by check: the tests, and all of a declared formula."""
    formula = {"formulas": finding.subjects} if finding.kind == FindingKind.BROKEN_FORMULA else {}
    return {"tests": tests, **formula}


def timed_calls_of(finding: Finding) -> TimedCalls | None:
    """Return the benchmark of a slow tool's captured calls; None for other findings, and if it could not be made."""
    slow = [decode(SlowWindow, signal.payload) for signal in finding.signals if signal.kind == SlowWindow.kind]
    return next((window.timed for window in slow if window.timed), None)


def failures_of(finding: Finding) -> dict[str, Failure]:
    """Return how each test of a finding failed, as far as it is known."""
    failures: dict[str, Failure] = {}
    for signal in finding.signals:
        if signal.kind == FailingTest.kind and (failure := decode(FailingTest, signal.payload).failure):
            failures[signal.subject] = failure
        if signal.kind in _WITH_REPLAY:
            failures |= decode(_WITH_REPLAY[signal.kind], signal.payload).failures
    return failures


def written_by_model(finding: Finding) -> tuple[str, ...]:
    """Return the paths of a finding's test files that a language model wrote."""
    defects = [
        decode(ReviewedDefect, signal.payload) for signal in finding.signals if signal.kind == ReviewedDefect.kind
    ]
    return tuple(defect.replay.path for defect in defects if defect.replay)
