"""Rank patches that pass the same tests by what they do for inputs that the tests do not check."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from whet.domain.sanitize import one_line
from whet.phases.propose.repair.candidate import Candidate


@dataclass(frozen=True, slots=True)
class Behaviour:
    """The behaviour of a candidate: results by call of its function, and a red flag, which is a reason to distrust it or
    empty. `reached` are the calls that tests made; the others are similar to them."""

    values: Mapping[str, str] = field(default_factory=dict)
    red_flag: str = ""
    function: str = ""
    reached: frozenset[str] = frozenset()


Observe = Callable[[Sequence[Candidate]], Sequence[Behaviour]]

_MOST_CHECKED, _MOST_COMPARED = 12, 6
_ALONE = 0.5
_CONVINCING, _SYNTHESISED = 0.2, 0.6  # the share of the likelihood that has to behave like the first candidate
_MOST_SHOWN = 120


class BehaviourRanking:
    """Ranks candidates by naturalness and by the naturalness of the others that behave the same.

    A behaviour that several edits lead to is more likely intended than one that a single edit happens to have.
    Candidates with a red flag come last.
    """

    def __init__(self, observe: Observe) -> None:
        self._observe = observe
        self._behaviours: dict[str, Behaviour] = {}

    def ranked(self, candidates: Sequence[Candidate]) -> list[Candidate]:
        """Return the candidates, best first; those beyond the number that is observed come last."""
        ordered = sorted(candidates, key=lambda candidate: -candidate.naturalness)
        checked, rest = ordered[:_MOST_CHECKED], ordered[_MOST_CHECKED:]
        self._ensure_observed(checked)
        checked.sort(key=lambda candidate: bool(self._red_flag(candidate)))
        compared, others = checked[:_MOST_COMPARED], checked[_MOST_COMPARED:]
        weights = {candidate.source: self._weight(candidate, compared) for candidate in compared}
        compared.sort(key=lambda candidate: (bool(self._red_flag(candidate)), -weights[candidate.source]))
        return [*compared, *others, *rest]

    def any_sure(self, candidates: Sequence[Candidate]) -> bool:
        """True if some candidate has no red flag."""
        self._ensure_observed(candidates)
        return not all(self._red_flag(candidate) for candidate in candidates)

    def objection(self, ranked: Sequence[Candidate]) -> str:
        """Return why the first candidate is not convincing; empty if it is.

        It is not if it has a red flag, or if nearly all of many candidates behave differently: then the tests do not
        determine the intended behaviour. A synthesised expression, of which many fit a few values, needs more agreement.
        """
        if not ranked:
            return ""
        if red_flag := self._red_flag(ranked[0]):
            return red_flag
        compared = [candidate for candidate in ranked[:_MOST_COMPARED] if not self._red_flag(candidate)]
        share = _SYNTHESISED if ranked[0].template == "synthesis" else _CONVINCING
        return "" if self._share(compared[0], compared) >= share else self.difference(ranked)

    def difference(self, ranked: Sequence[Candidate]) -> str:
        """Describe a call whose result differs between the first candidate and another; empty if none is known."""
        for other in ranked[1:]:
            for call, result in self._values(ranked[0]).items():
                other_result = self._values(other).get(call, result)
                if other_result != result:
                    first, second = (one_line(text)[:_MOST_SHOWN] for text in (result, other_result))
                    return (
                        f"the patches that passed do not agree: for {one_line(call)[:_MOST_SHOWN]} the first gives "
                        f"{first}, another ({other.summary}) {second}"
                    )
        return ""

    def behaviour(self, candidate: Candidate) -> Behaviour:
        """Return what is known about a candidate."""
        return self._behaviours.get(candidate.source, Behaviour())

    def _ensure_observed(self, candidates: Sequence[Candidate]) -> None:
        unknown = [candidate for candidate in candidates if candidate.source not in self._behaviours]
        if unknown:
            for candidate, behaviour in zip(unknown, self._observe(unknown), strict=True):
                self._behaviours[candidate.source] = behaviour

    def _values(self, candidate: Candidate) -> Mapping[str, str]:
        return self.behaviour(candidate).values

    def _red_flag(self, candidate: Candidate) -> str:
        return self.behaviour(candidate).red_flag

    def _weight(self, candidate: Candidate, among: Sequence[Candidate]) -> float:
        return candidate.naturalness * (_ALONE + (1 - _ALONE) * self._share(candidate, among))

    def _share(self, candidate: Candidate, among: Sequence[Candidate]) -> float:
        """Return the naturalness of all candidates with the same behaviour, as a share of the total."""
        whole = sum(other.naturalness for other in among)
        same = sum(other.naturalness for other in among if not self._differ(other, candidate))
        return same / whole if whole else 1.0

    def _differ(self, first: Candidate, second: Candidate) -> bool:
        """True if some call has different results; a call that was seen for only one of the two does not count."""
        here, there = self._values(first), self._values(second)
        return any(there.get(call, result) != result for call, result in here.items())
