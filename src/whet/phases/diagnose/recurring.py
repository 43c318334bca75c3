"""Failures that reports repeat, as one finding per signature."""

from collections import defaultdict
from collections.abc import Sequence

from whet.domain.canonical import digest
from whet.domain.category import Category
from whet.domain.finding import MINIMUM_SIGNALS, Finding, FindingKind
from whet.domain.place import Place
from whet.domain.reported import RecurringFailure
from whet.domain.signal import Signal
from whet.kit import Kit
from whet.store.codec import decode


class RecurringFailures:
    kinds = (RecurringFailure.kind,)
    minimum_signals = MINIMUM_SIGNALS

    def __init__(self, kit: Kit) -> None:
        del kit

    def findings(self, signals: Sequence[Signal]) -> list[Finding]:
        groups: dict[str, list[Signal]] = defaultdict(list)
        for signal in signals:
            groups[decode(RecurringFailure, signal.payload).signature].append(signal)
        return [_finding(*group) for group in groups.items() if len(group[1]) >= self.minimum_signals]

    def places(self, finding: Finding, base: str) -> tuple[Place, ...]:
        facts = decode(RecurringFailure, finding.signals[0].payload)
        why = "the innermost frame of the project in the reported failures"
        place = Place(path=facts.path, line=facts.line, function=facts.function, suspicion=0.5, why=why)
        return (place,) if facts.path else ()


def _finding(signature: str, signals: Sequence[Signal]) -> Finding:
    facts = decode(RecurringFailure, signals[0].payload)
    subjects = tuple(dict.fromkeys(signal.subject for signal in signals))
    error = ": ".join(filter(None, (facts.exception, facts.message.partition("\n")[0]))) or "it failed"
    where = (f"at {facts.path}:{facts.line} in {facts.function or 'the module'}",) if facts.path else ()
    inputs = (f"last input {facts.inputs}",) if facts.inputs else ()
    identity = digest(["recurring", signature])[:16]
    return Finding(
        id=f"f-{identity[:8]}",
        kind=FindingKind.RECURRING,
        signature=identity,
        title=f"{subjects[0]}: {error}",
        category=Category.BUG_FIX,
        subjects=subjects,
        paths=(facts.path,) if facts.path else (),
        signals=tuple(signals),
        score=round(0.2 + 0.2 * facts.failures / max(facts.reports, 1), 3),
        reasons=(f"{facts.failures:,} of {facts.reports:,} reports failed so", *where, *inputs, facts.why_not),
    )
