"""Metrics that drift, as findings."""

from collections import defaultdict
from collections.abc import Sequence

from whet.domain.canonical import digest
from whet.domain.category import Category
from whet.domain.finding import MINIMUM_SIGNALS, Finding, FindingKind
from whet.domain.place import Place
from whet.domain.reported import ChangedMetric
from whet.domain.signal import Signal
from whet.kit import Kit
from whet.store.codec import decode


class ChangedMetrics:
    kinds = (ChangedMetric.kind,)
    minimum_signals = MINIMUM_SIGNALS

    def __init__(self, kit: Kit) -> None:
        del kit

    def findings(self, signals: Sequence[Signal]) -> list[Finding]:
        metrics: dict[tuple[str, str], list[Signal]] = defaultdict(list)
        for signal in signals:
            metrics[signal.source, decode(ChangedMetric, signal.payload).metric].append(signal)
        return [_finding(*group) for group in metrics.items() if len(group[1]) >= self.minimum_signals]

    def places(self, finding: Finding, base: str) -> tuple[Place, ...]:
        """Return none: a metric names no line of the code."""
        return ()


def _finding(key: tuple[str, str], signals: Sequence[Signal]) -> Finding:
    source, metric = key
    facts = decode(ChangedMetric, signals[0].payload)
    signature = digest(["metric", source, metric])[:16]
    change = (
        f"{facts.before:.1%} before, {facts.recent:.1%} now"
        if facts.how == "rate"
        else f"{facts.before:.4g} before, {facts.recent:.4g} now ({facts.size:+.0%}, {facts.how})"
    )
    related = (f"changes together with {', '.join(facts.related)}",) if facts.related else ()
    return Finding(
        id=f"f-{signature[:8]}",
        kind=FindingKind.DRIFT,
        signature=signature,
        title=f"{metric} {'rises' if facts.size > 0 else 'falls'}: {change}",
        category=Category.PERFORMANCE,
        subjects=(signals[0].subject,),
        paths=(),
        signals=tuple(signals),
        score=round(0.15 + 0.15 * min(1.0, abs(facts.size)), 3),
        reasons=(f"{facts.events:,} reports", *related, facts.why_not),
    )
