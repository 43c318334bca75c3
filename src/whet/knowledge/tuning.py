"""Search for better values of constants: many at first, and the better half with more runs in each round."""

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from statistics import median

from whet.domain.tuning import TriedValues

Values = tuple[float, ...]
Measure = Callable[[Values, int], float]
"""Run the benchmark once with these values and this seed, and return the number that it prints."""
MOST_WITHOUT_OPTUNA = 30
_NOISE_PAIRS = 5
_MOST_ROUNDS = 6
_PRIMES = (2, 3, 5, 7, 11, 13, 17, 19)


@dataclass(frozen=True)
class Dimension:
    """The range of one constant."""

    low: float
    high: float
    integer: bool

    def at(self, share: float) -> float:
        """Return the value at a share of the range, between 0 and 1. Wide ranges above 0 are divided by factors."""
        if self.low > 0 and self.high / self.low >= 100:
            value = self.low * (self.high / self.low) ** share
        else:
            value = self.low + (self.high - self.low) * share
        return float(round(value)) if self.integer else float(f"{value:.4g}")


@dataclass
class Race:
    """A race of values against the present ones. `ratio` tells how much worse one measurement is than another."""

    present: Values
    measure: Measure
    ratio: Callable[[float, float], float]
    ratios: dict[Values, list[float]] = field(default_factory=dict)
    seed: int = 0

    def noise(self) -> float:
        """Return the largest difference between runs of the present values: no smaller gain can be seen."""
        differences = []
        for _ in range(_NOISE_PAIRS):
            seed = self._next_seed()
            differences.append(abs(self.ratio(self.measure(self.present, seed), self.measure(self.present, seed)) - 1))
        return round(max(differences), 6)

    def run(self, candidates: Sequence[Values], advance: Callable[[int, int], None]) -> Values:
        """Return the best values. Every round measures the present values and all that are left with the same new seeds."""
        left, runs = list(dict.fromkeys(candidates)), 1
        for _ in range(_MOST_ROUNDS):
            for _ in range(runs):
                self.block(left)
                advance(len(self.ratios), len(candidates))
            left = sorted(left, key=self.score)[: max((len(left) + 1) // 2, 1)]
            runs *= 2
            if len(left) == 1:
                break
        return left[0]

    def score(self, values: Values) -> float:
        return median(self.ratios[values])

    def curve(self) -> tuple[TriedValues, ...]:
        return tuple(
            TriedValues(values=values, ratio=round(median(ratios), 4), runs=len(ratios))
            for values, ratios in sorted(self.ratios.items())
        )

    def block(self, left: Sequence[Values]) -> None:
        """Measure the present values and all others once with one seed, in random order."""
        seed = self._next_seed()
        present = self.measure(self.present, seed)
        for values in random.Random(seed).sample(list(left), len(left)):  # noqa: S311 - only an order of runs
            self.ratios.setdefault(values, []).append(self.ratio(present, self.measure(values, seed)))

    def _next_seed(self) -> int:
        self.seed += 1
        return self.seed


def evenly(dimensions: Sequence[Dimension], trials: int) -> list[Values]:
    """Return values that cover the ranges evenly: a grid for one constant, a Halton sequence for several."""
    if len(dimensions) == 1:
        shares: list[tuple[float, ...]] = [(number / (trials - 1),) for number in range(trials)]
    else:
        shares = [
            tuple(_halton(number, base) for base in _PRIMES[: len(dimensions)]) for number in range(1, trials + 1)
        ]
    points = [tuple(dimension.at(share) for dimension, share in zip(dimensions, each, strict=True)) for each in shares]
    return list(dict.fromkeys(points))


def with_optuna(dimensions: Sequence[Dimension], trials: int, race: Race) -> Iterator[Values]:
    """Yield values that Optuna's default sampler chooses; each is measured once before the next is chosen."""
    import optuna

    optuna.logging.set_verbosity(optuna.logging.WARNING)
    study = optuna.create_study(direction="minimize", sampler=optuna.samplers.TPESampler(seed=1))
    for _ in range(trials):
        trial = study.ask()
        shares = [trial.suggest_float(f"x{number}", 0.0, 1.0) for number in range(len(dimensions))]
        values = tuple(dimension.at(share) for dimension, share in zip(dimensions, shares, strict=True))
        race.block([values])
        study.tell(trial, race.score(values))
        yield values


def _halton(number: int, base: int) -> float:
    share, factor = 0.0, 1.0
    while number:
        factor /= base
        share += factor * (number % base)
        number //= base
    return share
