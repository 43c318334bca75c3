"""Better versions of prompts and workflows as findings."""

from collections.abc import Sequence

from whet.domain.category import Category
from whet.domain.finding import Finding, FindingKind
from whet.domain.improvement import Improvement
from whet.domain.place import Place
from whet.domain.plural import count
from whet.domain.signal import Signal
from whet.kit import Kit
from whet.store.codec import decode


class ImprovedTexts:
    kinds = (Improvement.kind,)
    minimum_signals = 1  # a search over many cases, and the proof repeats the deciding comparison

    def __init__(self, kit: Kit) -> None:
        self._kit = kit

    def findings(self, signals: Sequence[Signal]) -> list[Finding]:
        return [_finding(signal, decode(Improvement, signal.payload)) for signal in signals]

    def places(self, finding: Finding, base: str) -> tuple[Place, ...]:
        improvement = decode(Improvement, finding.signals[0].payload)
        why = f"{'; '.join(improvement.changes)}: {improvement.confirmed}"
        return (Place(path=improvement.path, line=1, function="", suspicion=1.0, why=why),)


def _finding(signal: Signal, improvement: Improvement) -> Finding:
    words = "scores" if improvement.check == "evaluations" else "measures"
    return Finding(
        id=f"f-{improvement.signature[:8]}",
        kind=FindingKind.IMPROVED_TEXT,
        signature=improvement.signature,
        title=f"{improvement.evaluation} {words} {improvement.path} better: {'; '.join(improvement.changes)}"[:200],
        category=Category.CODE_QUALITY if improvement.check == "evaluations" else Category.PERFORMANCE,
        subjects=(improvement.evaluation,),
        paths=(improvement.path,),
        signals=(signal,),
        score=0.5,
        reasons=(
            f"confirmed by inputs that the search had not seen: {improvement.confirmed}",
            f"{count(len(improvement.tried), 'version')} tried",
        ),
        minimum_signals=1,
    )
