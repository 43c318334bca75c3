"""Suggestions as findings of their own."""

from collections.abc import Sequence

from whet.domain.category import Category
from whet.domain.finding import Finding, FindingKind
from whet.domain.signal import Signal


def findings(signals: Sequence[Signal]) -> list[Finding]:
    return [_finding(signal) for signal in signals]


def _finding(signal: Signal) -> Finding:
    asked = signal.payload
    case = str(asked["case"])
    patch = str(asked.get("patch", ""))
    shown = f"a case is given: {case}" if case else "no case is given, so nothing can be seen to turn green"
    score = 0.85 if patch else 0.7
    return Finding(
        id=f"f-{signal.subject.removeprefix('s-')}",
        kind=FindingKind.SUGGESTED,
        signature=signal.subject,
        title=str(asked["text"]),
        category=Category.BUG_FIX,
        subjects=(signal.subject,),
        paths=(str(asked["where"]),) if asked["where"] else (),
        signals=(signal,),
        score=score if case else 0.3,
        reasons=(f"{asked['by']} asked for it", shown, *(("a change is given with it",) if patch else ())),
    )
