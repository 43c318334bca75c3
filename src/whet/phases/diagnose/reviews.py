"""Defects that a language model sees in a file, as one finding for each function and category.

A finding with a test that fails leads to proposals, as a failing test does. Without one it only tells a person where to look.
"""

from collections import defaultdict
from collections.abc import Sequence

from whet.cases.regression import regression_of
from whet.domain.canonical import digest
from whet.domain.file_review import ReviewedDefect
from whet.domain.finding import Finding, FindingKind
from whet.domain.place import Place
from whet.domain.plural import count
from whet.domain.signal import Signal
from whet.kit import Kit
from whet.phases.diagnose.places import regression_places
from whet.store.codec import decode

_SHOWN, _SAID = 0.45, 0.1  # below a failing test of the project, which is nobody's opinion
_LONGEST_TITLE = 140


class ReviewedDefects:
    kinds = (ReviewedDefect.kind,)
    minimum_signals = 1  # nothing is proposed without a test that fails, and that can be run again

    def __init__(self, kit: Kit) -> None:
        self._kit = kit

    def findings(self, signals: Sequence[Signal]) -> list[Finding]:
        """Group by place and category, not by the words: a model finds other words for the same defect."""
        groups: dict[tuple[str, str], list[Signal]] = defaultdict(list)
        for signal in signals:
            groups[signal.subject, _defect(signal).category.value].append(signal)
        return [_finding(subject, members) for (subject, _), members in groups.items()]

    def places(self, finding: Finding, base: str) -> tuple[Place, ...]:
        """Return the traced places of the test that shows the defect; without one, none."""
        tree = self._kit.git.tree_of(base)
        regression = regression_of(finding, tree, self._kit)
        return regression_places(finding, regression, tree, self._kit) if regression else ()


def _finding(subject: str, signals: Sequence[Signal]) -> Finding:
    """Return the finding about one place; a defect that a test shows stands for the others."""
    ordered = sorted(signals, key=lambda signal: _defect(signal).replay is None)
    first = _defect(ordered[0])
    signature = digest(["reviewed", subject, first.category.value])[:16]
    where = f"{first.path}:{first.line}{f' in {first.function}' if first.function else ''}"
    return Finding(
        id=f"f-{signature[:8]}",
        kind=FindingKind.REVIEWED,
        signature=signature,
        title=f"{where}: {first.reason}"[:_LONGEST_TITLE],
        category=first.category,
        subjects=(subject,),
        paths=(first.path,),
        signals=tuple(ordered),
        score=_SHOWN if first.replay else _SAID,
        reasons=_reasons(first, len(ordered) - 1),
        minimum_signals=1,
    )


def _reasons(defect: ReviewedDefect, others: int) -> tuple[str, ...]:
    said = f"{defect.model} read the file and says so"
    if others:
        said += f", and {count(others, 'thing')} more about this place"
    if defect.replay is None:
        return said, defect.why_not
    stated = f"{defect.exception}: {defect.message}".removesuffix(": ")
    return (
        said,
        f"its test {defect.replay.red[0]} fails as it said before ({stated})",
        "whether the test expects the right thing is for a person to judge",
    )


def _defect(signal: Signal) -> ReviewedDefect:
    return decode(ReviewedDefect, signal.payload)
