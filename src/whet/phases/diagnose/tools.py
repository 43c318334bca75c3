"""What a running application's tools show, as findings: calls that fail the same way, and tools that grow worse or are slow."""

import math
from collections import defaultdict
from collections.abc import Sequence
from typing import Any

from whet.domain.canonical import digest
from whet.domain.category import Category
from whet.domain.finding import MINIMUM_SIGNALS, Finding, FindingKind
from whet.domain.signal import Signal

_KINDS = {
    "failing_call": (FindingKind.FAILING_TOOL, Category.BUG_FIX),
    "degraded_window": (FindingKind.DEGRADING_TOOL, Category.PERFORMANCE),
    "slow_window": (FindingKind.SLOW_TOOL, Category.PERFORMANCE),
}
# How likely something can be done about it without a model: called again at will, stated by cases, or only seen.
_FIXABLE = {"replayed": 1.0, "seen": 0.4}
_PREFERRED = 1.05
_PREFERENCE = {FindingKind.FAILING_TOOL: 1.0, FindingKind.DEGRADING_TOOL: 0.8, FindingKind.SLOW_TOOL: 0.6}


def findings(signals: Sequence[Signal], wanted: Sequence[str]) -> list[Finding]:
    groups: dict[tuple[str, str, str], list[Signal]] = defaultdict(list)
    for signal in signals:
        groups[signal.kind, signal.subject, str(signal.payload["signature"])].append(signal)
    return [
        _finding(*group, members, wanted)
        for group, members in groups.items()
        if len(members) >= MINIMUM_SIGNALS[_KINDS[group[0]][0]]
    ]


def _finding(kind: str, tool: str, signature: str, signals: Sequence[Signal], wanted: Sequence[str]) -> Finding:
    found, category = _KINDS[kind]
    told = signals[0].payload
    path = str(told["tool"]["path"])
    score, reasons = _score(found, told, asked_for=path in wanted)
    identity = digest([found.value, tool, signature])[:16]
    return Finding(
        id=f"f-{identity[:8]}",
        kind=found,
        signature=identity,
        title=f"{tool}: {told['what']}",
        category=category,
        subjects=(tool,),
        paths=(path,) if path else (),
        signals=tuple(signals),
        score=score,
        reasons=reasons,
    )


def _score(kind: FindingKind, told: dict[str, Any], *, asked_for: bool) -> tuple[float, tuple[str, ...]]:
    """Impact times frequency times what can be done about it times preference, each as words too."""
    calls, hurt = int(told["calls"]), int(told["hurt"])
    impact = min(1.0, 0.5 + math.log10(1 + hurt) / 8)
    frequency = min(1.0, 0.7 + 0.3 * hurt / max(calls, 1))
    fixable = "replayed" if told.get("replay") else "seen"
    preference = _PREFERENCE[kind] * (_PREFERRED if asked_for else 1.0)
    score = min(1.0, impact * frequency * _FIXABLE[fixable] * preference)
    words = "it can be called again at will" if fixable == "replayed" else str(told["why_not"])
    reasons = (f"{hurt:,} of {calls:,} calls", words)
    return round(score, 3), (*reasons, "someone asked for an improvement there") if asked_for else reasons
