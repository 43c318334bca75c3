"""Suggestions as findings of their own."""

from collections.abc import Sequence

from whet.cases.regression import regression_of
from whet.domain.category import Category
from whet.domain.finding import Finding, FindingKind
from whet.domain.place import Place
from whet.domain.signal import Signal
from whet.domain.suggestion import Suggestion
from whet.kit import Kit
from whet.phases.diagnose.places import regression_places
from whet.store.codec import decode

_URGENCY = {"low": -0.1, "high": 0.1}


class SuggestedImprovements:
    kinds = (Suggestion.kind,)
    minimum_signals = 1  # one suggestion is enough: its author asks for the change

    def __init__(self, kit: Kit) -> None:
        self._kit = kit

    def findings(self, signals: Sequence[Signal]) -> list[Finding]:
        return [self._finding(signal) for signal in signals]

    def places(self, finding: Finding, base: str) -> tuple[Place, ...]:
        """Return the traced places of the suggested case, or else the files that the supplied patch changes."""
        tree = self._kit.git.tree_of(base)
        if regression := regression_of(finding, tree, self._kit):
            return regression_places(finding, regression, tree, self._kit)
        if not decode(Suggestion, finding.signals[0].payload).patch:
            return ()
        why = "the supplied patch changes this file"
        return tuple(Place(path=path, line=1, function="", suspicion=0.5, why=why) for path in finding.paths)

    def _finding(self, signal: Signal) -> Finding:
        suggestion = decode(Suggestion, signal.payload)
        case = (
            f"a case is given: {suggestion.case}"
            if suggestion.case
            else "no case is given, so no test can show that it is done"
        )
        reasons = [f"{suggestion.by} asked for it", case]
        if suggestion.patch:
            reasons.append("a patch comes with it")
        if suggestion.urgency != "normal":
            reasons.append(f"its urgency is {suggestion.urgency}")
        score = 0.3 if not suggestion.case else 0.85 if suggestion.patch else 0.7
        return Finding(
            id=f"f-{signal.subject.removeprefix('s-')}",
            kind=FindingKind.SUGGESTED,
            signature=signal.subject,
            title=suggestion.text,
            category=Category.BUG_FIX,
            subjects=(signal.subject,),
            paths=(suggestion.where,) if suggestion.where else (),
            signals=(signal,),
            score=round(score + _URGENCY.get(suggestion.urgency, 0.0), 3),
            reasons=tuple(reasons),
            minimum_signals=self.minimum_signals,
        )
