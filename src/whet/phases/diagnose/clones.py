"""Places with the mistake of a proven fix as a finding, one for each pattern."""

from collections import defaultdict
from collections.abc import Sequence

from whet.domain.canonical import digest
from whet.domain.category import Category
from whet.domain.finding import Finding, FindingKind
from whet.domain.payload import ClonedMistake
from whet.domain.place import Place
from whet.domain.plural import count
from whet.domain.regression import Regression
from whet.domain.signal import Signal
from whet.kit import Kit
from whet.store.codec import decode


class ClonedMistakes:
    kinds = (ClonedMistake.kind,)
    minimum_signals = 1  # the search can be repeated at will, and the mended bug itself is on record

    def __init__(self, kit: Kit) -> None:
        self._kit = kit

    def findings(self, signals: Sequence[Signal]) -> list[Finding]:
        patterns: dict[str, list[Signal]] = defaultdict(list)
        shown: list[Finding] = []
        for signal in signals:
            mistake = decode(ClonedMistake, signal.payload)
            if mistake.replay:
                shown.append(_shown(signal, mistake, mistake.replay))
            else:
                patterns[signal.subject].append(signal)
        return [*shown, *(_finding(pattern, members) for pattern, members in patterns.items())]

    def places(self, finding: Finding, base: str) -> tuple[Place, ...]:
        mistakes = [decode(ClonedMistake, signal.payload) for signal in finding.signals]
        return tuple(
            Place(
                path=item.path, line=item.line, function="", suspicion=0.5, why=f"mended by {item.mended_by} elsewhere"
            )
            for item in mistakes
        )


def _shown(signal: Signal, mistake: ClonedMistake, replay: Regression) -> Finding:
    """Return the finding of a place at which a call fails as the mended code did."""
    signature = digest(["cloned", mistake.pattern, replay.path])[:16]
    words = next((failure.text for failure in mistake.failures.values()), "a call fails")
    return Finding(
        id=f"f-{signature[:8]}",
        kind=FindingKind.CLONED_MISTAKE,
        signature=signature,
        title=f"the same mistake in {mistake.path}:{mistake.line}: {words}"[:200],
        category=Category.BUG_FIX,
        subjects=(mistake.pattern,),
        paths=(mistake.path,),
        signals=(signal,),
        score=0.5,
        reasons=(f"{mistake.mended_by} mended this code in {mistake.mended_in}", f"whet has seen it fail: {words}"),
        minimum_signals=1,
    )


def _finding(pattern: str, signals: Sequence[Signal]) -> Finding:
    mistakes = [decode(ClonedMistake, signal.payload) for signal in signals]
    first, number = mistakes[0], len(mistakes)
    signature = digest(["cloned", pattern])[:16]
    where = ", ".join(f"{item.path}:{item.line}" for item in mistakes[:3])
    return Finding(
        id=f"f-{signature[:8]}",
        kind=FindingKind.CLONED_MISTAKE,
        signature=signature,
        title=f"the same mistake in {count(number, 'other place')}: {where}{', ...' if number > 3 else ''}",
        category=Category.BUG_FIX,
        subjects=(pattern,),
        paths=tuple(dict.fromkeys(item.path for item in mistakes)),
        signals=tuple(signals),
        score=round(0.3 + min(0.1, number / 100), 3),
        reasons=(
            f"{first.mended_by} mended this code in {first.mended_in}",
            "no test is red there: write one, and whet applies the known fix",
        ),
        minimum_signals=1,
    )
