"""Order among patches that pass the same tests: what they do where the tests do not look."""

from collections.abc import Callable, Mapping, Sequence

from whet.domain.visible import one_line
from whet.phases.propose.repair.candidate import Candidate

Observe = Callable[[Sequence[Candidate]], Sequence[Mapping[str, str]]]

_MOST_OBSERVED = 6
_ALONE = 0.5
_CONVINCING = 0.2
_MOST_SHOWN = 120


class Agreement:
    """Ranks by naturalness, and by how natural those are that do the same for values like those of the tests.

    One behaviour that many edits lead to is likelier to be meant than one that a single edit happens to have.
    """

    def __init__(self, observe: Observe) -> None:
        self._observe = observe
        self._known: dict[str, Mapping[str, str]] = {}

    def ranked(self, candidates: Sequence[Candidate]) -> list[Candidate]:
        """Best first; those that are too many to be observed come last."""
        ordered = sorted(candidates, key=lambda one: -one.naturalness)
        observed, rest = ordered[:_MOST_OBSERVED], ordered[_MOST_OBSERVED:]
        if len(observed) < 2:
            return ordered
        self._ask(observed)
        weights = {one.source: self._weight(one, observed) for one in observed}
        return [*sorted(observed, key=lambda one: -weights[one.source]), *rest]

    def convinces(self, candidates: Sequence[Candidate]) -> bool:
        """Not where nearly every one of many does something else: then the tests do not say what is meant."""
        observed = candidates[:_MOST_OBSERVED]
        return not observed or self._share(observed[0], observed) >= _CONVINCING

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
        for one, values in zip(unknown, self._observe(unknown) if unknown else (), strict=True):
            self._known[one.source] = values

    def _of(self, candidate: Candidate) -> Mapping[str, str]:
        return self._known.get(candidate.source, {})

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
