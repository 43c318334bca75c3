"""The test file and the known failures of a finding that the target's own suite does not show."""

from whet.cases.from_suggestion import case_as_test
from whet.domain.file_review import ReviewedDefect
from whet.domain.finding import Finding, FindingKind
from whet.domain.payload import FailingCall, FailingTest
from whet.domain.regression import Regression
from whet.domain.suggestion import Suggestion
from whet.domain.suite import Failure
from whet.kit import Kit
from whet.store.codec import decode


def regression_of(finding: Finding, tree: str, kit: Kit) -> Regression | None:
    """Return the test file for a suggestion, failing calls or a reviewed defect; None if the suite shows the finding, or
    none can be written."""
    signal = finding.signals[0]
    if signal.kind == FailingCall.kind:
        return decode(FailingCall, signal.payload).replay
    if signal.kind == ReviewedDefect.kind:
        return decode(ReviewedDefect, signal.payload).replay
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
    if finding.kind == FindingKind.FAILING_TOOL:
        return decode(FailingCall, finding.signals[0].payload).replay is not None
    if finding.kind == FindingKind.REVIEWED:
        return decode(ReviewedDefect, finding.signals[0].payload).replay is not None
    return finding.kind == FindingKind.FAILING_TEST and any("::" in test for test in finding.subjects)


def failures_of(finding: Finding) -> dict[str, Failure]:
    """Return how each test of a finding failed, as far as it is known."""
    failures: dict[str, Failure] = {}
    for signal in finding.signals:
        if signal.kind == FailingTest.kind and (failure := decode(FailingTest, signal.payload).failure):
            failures[signal.subject] = failure
        if signal.kind == FailingCall.kind:
            failures |= decode(FailingCall, signal.payload).failures
        if signal.kind == ReviewedDefect.kind:
            failures |= decode(ReviewedDefect, signal.payload).failures
    return failures


def written_by_model(finding: Finding) -> tuple[str, ...]:
    """Return the paths of a finding's test files that a language model wrote."""
    defects = [
        decode(ReviewedDefect, signal.payload) for signal in finding.signals if signal.kind == ReviewedDefect.kind
    ]
    return tuple(defect.replay.path for defect in defects if defect.replay)
