"""Trials: which other values of a hole would turn the failing tests green."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from whet.phases.propose.repair.synthesis.hole import Hole, HoleRole

ALL = -1
_SINGLE_VISITS = 4
Needed = Mapping[str, tuple[int, str | None]]
"""For a test, or "" for every test: a visit or `ALL`, and the literal that it gets, or None to negate its value."""


@dataclass(frozen=True)
class HoleTrial:
    """A hole, and the values that it is forced to have."""

    hole: Hole
    forced: Needed


def trials(hole: Hole, expected: Mapping[str, Sequence[str]]) -> Iterator[HoleTrial]:
    """Yield the trials of a hole. `expected` are literals by failing test, the likeliest result first."""
    for visit in (ALL, *range(_SINGLE_VISITS)):
        match hole.role:
            case HoleRole.VALUE:
                most = max(map(len, expected.values()), default=0)
                for choice in range(most if visit in (ALL, 0) else min(most, 1)):
                    yield HoleTrial(hole, {test: (visit, literals[min(choice, len(literals) - 1)])
                                       for test, literals in expected.items() if literals})  # fmt: skip
            case HoleRole.NEW_CONDITION:
                yield HoleTrial(hole, {"": (visit, str(hole.original == "False"))})
            case HoleRole.CONDITION if visit == ALL:
                yield HoleTrial(hole, {"": (visit, "True")})
                yield HoleTrial(hole, {"": (visit, "False")})
            case HoleRole.CONDITION:
                yield HoleTrial(hole, {"": (visit, None)})


def solved(results: Sequence[tuple[HoleTrial, Mapping[str, Any]]], targets: Sequence[str]) -> dict[Hole, Needed]:
    """Return the holes by which every target can pass, with the value that each target needs.

    `results` are trials with the outcomes of the tests.
    """
    needs: dict[Hole, dict[str, tuple[int, str | None]]] = {}
    for trial, outcomes in results:
        for test in targets:
            force = trial.forced.get(test) or trial.forced.get("")
            if force is not None and outcomes.get(test) == "passed":
                needs.setdefault(trial.hole, {}).setdefault(test, force)
    return {hole: needed for hole, needed in needs.items() if len(needed) == len(targets)}
