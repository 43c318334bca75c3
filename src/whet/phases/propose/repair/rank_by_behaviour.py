"""Order among patches that pass the same tests: what they do where the tests do not look, and whether they do less."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from whet.domain.sanitize import one_line
from whet.phases.propose.repair.candidate import Candidate


@dataclass(frozen=True, slots=True)
class Observed:
    """What came of calls, in words, and why the patch may not be what was meant; nothing where no doubt is known."""

    values: Mapping[str, str] = field(default_factory=dict)
    doubt: str = ""


Observe = Callable[[Sequence[Candidate]], Sequence[Observed]]

_MOST_LOOKED_AT, _MOST_OBSERVED = 12, 6
_ALONE = 0.5
_CONVINCING = 0.2
_MOST_SHOWN = 120


class Agreement:
    """Ranks by naturalness, and by how natural those are that do the same for values like those of the tests.

    One behaviour that many edits lead to is likelier to be meant than one that a single edit happens to have. Whatever is
    doubtful comes after all that is not.
    """

    def __init__(self, observe: Observe) -> None:
        self._observe = observe
        self._known: dict[str, Observed] = {}

    def ranked(self, candidates: Sequence[Candidate]) -> list[Candidate]:
        """Best first; those that are too many to be observed come last."""
        ordered = sorted(candidates, key=lambda one: -one.naturalness)
        looked_at, rest = ordered[:_MOST_LOOKED_AT], ordered[_MOST_LOOKED_AT:]
        self._ask(looked_at)
        looked_at.sort(key=lambda one: bool(self._doubt(one)))
        observed, others = looked_at[:_MOST_OBSERVED], looked_at[_MOST_OBSERVED:]
        weights = {one.source: self._weight(one, observed) for one in observed}
        observed.sort(key=lambda one: (bool(self._doubt(one)), -weights[one.source]))
        return [*observed, *others, *rest]

    def any_sure(self, candidates: Sequence[Candidate]) -> bool:
        """Whether there is one that nothing speaks against."""
        self._ask(candidates)
        return not all(self._doubt(one) for one in candidates)

    def against(self, candidates: Sequence[Candidate]) -> str:
        """Why the best of them does not convince, in words: it is doubtful, or nearly every one of many does something
        else, so that the tests do not say what is meant. Nothing where it does."""
        if not candidates:
            return ""
        if doubt := self._doubt(candidates[0]):
            return doubt
        observed = [one for one in candidates[:_MOST_OBSERVED] if not self._doubt(one)]
        return "" if self._share(observed[0], observed) >= _CONVINCING else self.difference(candidates)

    def difference(self, candidates: Sequence[Candidate]) -> str:
        """Where the first and the next that does something else part ways, in words; nothing where none is known."""
        for other in candidates[1:]:
            for given, came in self._of(candidates[0]).items():
                came_there = self._of(other).get(given, came)
                if came_there != came:
                    first, another = (one_line(text)[:_MOST_SHOWN] for text in (came, came_there))
                    return (
                        f"those that held do not agree: for {one_line(given)[:_MOST_SHOWN]} the first gives {first}, "
                        f"another ({other.summary}) {another}"
                    )
        return ""

    def _ask(self, candidates: Sequence[Candidate]) -> None:
        unknown = [one for one in candidates if one.source not in self._known]
        for one, seen in zip(unknown, self._observe(unknown) if unknown else (), strict=True):
            self._known[one.source] = seen

    def _of(self, candidate: Candidate) -> Mapping[str, str]:
        return self._known.get(candidate.source, Observed()).values

    def _doubt(self, candidate: Candidate) -> str:
        return self._known.get(candidate.source, Observed()).doubt

    def _weight(self, candidate: Candidate, among: Sequence[Candidate]) -> float:
        return candidate.naturalness * (_ALONE + (1 - _ALONE) * self._share(candidate, among))

    def _share(self, candidate: Candidate, among: Sequence[Candidate]) -> float:
        """How much of all naturalness belongs to those that do the same."""
        whole = sum(one.naturalness for one in among)
        same = sum(one.naturalness for one in among if not self._differ(one, candidate))
        return same / whole if whole else 1.0

    def _differ(self, one: Candidate, other: Candidate) -> bool:
        here, there = self._of(one), self._of(other)
        return any(there.get(given, came) != came for given, came in here.items())
