"""Better values of constants as findings."""

from collections.abc import Sequence

from whet.domain.canonical import digest
from whet.domain.category import Category
from whet.domain.finding import Finding, FindingKind
from whet.domain.place import Place
from whet.domain.signal import Signal
from whet.domain.tuning import Tuning
from whet.kit import Kit
from whet.store.codec import decode


class TunedConstants:
    kinds = (Tuning.kind,)
    minimum_signals = 1  # a search with many measurements, and the proof repeats the deciding ones

    def __init__(self, kit: Kit) -> None:
        self._kit = kit

    def findings(self, signals: Sequence[Signal]) -> list[Finding]:
        return [_finding(signal, decode(Tuning, signal.payload)) for signal in signals]

    def places(self, finding: Finding, base: str) -> tuple[Place, ...]:
        tuning = decode(Tuning, finding.signals[0].payload)
        return (
            Place(path=tuning.path, line=1, function="", suspicion=1.0, why=f"{tuning.change}: {tuning.confirmed}"),
        )


def _finding(signal: Signal, tuning: Tuning) -> Finding:
    signature = digest(["tuned", tuning.name, tuning.path])[:16]
    return Finding(
        id=f"f-{signature[:8]}",
        kind=FindingKind.TUNED_CONSTANTS,
        signature=signature,
        title=f"{tuning.objective} is better with {tuning.change}",
        category=Category.PERFORMANCE,
        subjects=(tuning.name,),
        paths=(tuning.path,),
        signals=(signal,),
        score=0.5,
        reasons=(
            f"confirmed on fresh inputs: {tuning.confirmed}",
            f"{len(tuning.curve)} sets of values were tried; noise {tuning.noise:.1%}",
        ),
        minimum_signals=1,
    )
