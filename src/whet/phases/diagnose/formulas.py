"""Declared formulas that are wrong as findings, one for each."""

from collections.abc import Sequence

from whet.cases.regression import regression_of
from whet.domain.canonical import digest
from whet.domain.category import Category
from whet.domain.finding import Finding, FindingKind
from whet.domain.payload import BrokenFormula
from whet.domain.place import Place
from whet.domain.signal import Signal
from whet.kit import Kit
from whet.phases.diagnose.places import regression_places
from whet.store.codec import decode


class BrokenFormulas:
    kinds = (BrokenFormula.kind,)
    minimum_signals = 1  # a formula can be called again at will

    def __init__(self, kit: Kit) -> None:
        self._kit = kit

    def findings(self, signals: Sequence[Signal]) -> list[Finding]:
        return [self._finding(signal) for signal in signals]

    def places(self, finding: Finding, base: str) -> tuple[Place, ...]:
        """Return the lines that the wrong calls run, or the function, if only its units are wrong."""
        tree = self._kit.git.tree_of(base)
        if regression := regression_of(finding, tree, self._kit):
            return regression_places(finding, regression, tree, self._kit)
        formula = decode(BrokenFormula, finding.signals[0].payload)
        why = "its units do not fit together"
        return (Place(path=formula.path, line=formula.line, function=formula.function, suspicion=0.5, why=why),)

    def _finding(self, signal: Signal) -> Finding:
        formula = decode(BrokenFormula, signal.payload)
        signature = digest(["formula", signal.subject, formula.path])[:16]
        reasons = ["whet.toml declares it", *formula.broken[:5]]
        if formula.replay is None:
            reasons.append("no test can show it, so that a person has to correct it")
        return Finding(
            id=f"f-{signature[:8]}",
            kind=FindingKind.BROKEN_FORMULA,
            signature=signature,
            title=f"formula {signal.subject}: {formula.broken[0]}"[:200],
            category=Category.BUG_FIX,
            subjects=(signal.subject,),
            paths=(formula.path,),
            signals=(signal,),
            score=0.8 if formula.replay else 0.3,
            reasons=tuple(reasons),
            minimum_signals=self.minimum_signals,
        )
