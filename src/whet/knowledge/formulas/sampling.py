"""The inputs that a formula is tried with: its cases, the edges of its ranges, and random inputs from a seed."""

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice, product

from whet.config import ArgumentPolicy
from whet.domain.canonical import digest
from whet.knowledge.formulas.declared import Formula

Value = bool | int | float | str
Inputs = Mapping[str, Value]
_MOST_EDGES = 200
_MOST_EDGE_LINES = 27
_RANDOM_LINES = 12
_STEPS = 8


@dataclass
class SampledInputs:
    """Inputs, each once; the other fields are positions in `inputs`.

    `cases` has one for each case. `free` are inputs in the declared ranges. `lines` are, for each argument with a direction,
    inputs that differ in that argument alone, which rises.
    """

    inputs: list[Inputs] = field(default_factory=list)
    cases: list[int] = field(default_factory=list)
    free: list[int] = field(default_factory=list)
    lines: dict[str, list[list[int]]] = field(default_factory=dict)
    _known: dict[str, int] = field(default_factory=dict)

    def place(self, inputs: Inputs) -> int:
        """Return the position of the inputs, which are added if they are new."""
        key = repr(sorted(inputs.items()))
        if key not in self._known:
            self._known[key] = len(self.inputs)
            self.inputs.append(dict(inputs))
        return self._known[key]


def sample(formula: Formula, seed: str) -> SampledInputs:
    """Return the inputs to try. The same formula and seed give the same inputs."""
    chance = random.Random(digest([formula.name, seed]))  # noqa: S311 - decides only which inputs are tried
    samples = SampledInputs()
    samples.cases = [samples.place(case.inputs) for case in formula.cases]
    ranged = {name: argument for name, argument in formula.policy.arguments.items() if argument.range}
    if not ranged or set(formula.required) - set(ranged):
        return samples
    samples.free = [samples.place(point) for point in islice(_edges(ranged), _MOST_EDGES)]
    samples.free += [samples.place(_anywhere(ranged, chance)) for _ in range(formula.policy.samples)]
    for argument in formula.policy.monotone:
        samples.lines[argument] = [
            [samples.place({**others, argument: value}) for value in _steps(ranged[argument], chance)]
            for others in _others(ranged, argument, chance)
        ]
    return samples


def _others(ranged: Mapping[str, ArgumentPolicy], argument: str, chance: random.Random) -> Iterator[Inputs]:
    """Yield values for the other arguments: the edges first."""
    others = {name: settings for name, settings in ranged.items() if name != argument}
    yield from islice(_edges(others), _MOST_EDGE_LINES)
    if others:
        yield from (_anywhere(others, chance) for _ in range(_RANDOM_LINES))


def _edges(ranged: Mapping[str, ArgumentPolicy]) -> Iterator[Inputs]:
    """Yield the combinations of the notable values of each argument, those of the ends first."""
    values = [_notable(settings) for settings in ranged.values()]
    ranks = product(*(range(len(some)) for some in values))
    for indexes in sorted(islice(ranks, 100_000), key=lambda indexes: (max(indexes, default=0), sum(indexes))):
        yield {name: some[index] for name, some, index in zip(ranged, values, indexes, strict=True)}


def _notable(settings: ArgumentPolicy) -> list[Value]:
    """Return the ends of a range, its middle, and 0 and 1 if they lie inside."""
    low, high = settings.range or (0.0, 0.0)
    inside = [number for number in (0.0, 1.0) if low < number < high]
    return _as_declared([low, high, (low + high) / 2, *inside], settings)


def _steps(settings: ArgumentPolicy, chance: random.Random) -> list[Value]:
    """Return rising values of one argument: the notable ones, and random ones between."""
    between = [_within(settings, chance) for _ in range(_STEPS)]
    return sorted(dict.fromkeys([*_notable(settings), *between]), key=float)


def _anywhere(ranged: Mapping[str, ArgumentPolicy], chance: random.Random) -> Inputs:
    return {name: _within(settings, chance) for name, settings in ranged.items()}


def _within(settings: ArgumentPolicy, chance: random.Random) -> Value:
    """Return a random value of a range, with few digits, so that a counterexample can be read."""
    low, high = settings.range or (0.0, 0.0)
    if settings.whole:
        return chance.randint(int(low), int(high))
    number = float(f"{chance.uniform(low, high):.4g}")
    return min(max(number, low), high)


def _as_declared(numbers: Sequence[float], settings: ArgumentPolicy) -> list[Value]:
    return list(dict.fromkeys(int(number) for number in numbers)) if settings.whole else list(dict.fromkeys(numbers))
