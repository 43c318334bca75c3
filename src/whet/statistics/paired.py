"""Compare pairs of measurements, one of the base and one of a candidate: runs of a benchmark, or scores of the same case.

The test looks only at how many pairs lie on which side of a limit, so that outliers and the form of the noise do not
matter. It is the e-process of `whet.statistics.rate` with rate one half, so that a caller may look after every pair.

Cases with equal scores say nothing about the direction, so they do not count. The mean difference and its interval say how
large the effect is.
"""

import random
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from math import comb
from statistics import median

from whet.statistics.betting import proven
from whet.statistics.rate import log_e_above

_ALPHA = 0.05
_RESAMPLES = 1000


class PairedResult(StrEnum):
    """The result of a comparison. `open` means that the noise is larger than the difference in question."""

    BETTER = "better"
    WITHIN = "within"
    WORSE = "worse"
    OPEN = "open"


@dataclass(frozen=True)
class Interval:
    """The median ratio of candidate to base, and the limits between which it lies with a confidence of 95 %."""

    median: float
    low: float
    high: float

    def __str__(self) -> str:
        return f"{self.median - 1:+.1%} [{self.low - 1:+.1%}, {self.high - 1:+.1%}]"


def compare(ratios: Sequence[float], margin: float, alpha: float = _ALPHA) -> PairedResult:
    """Say on which side of the margin the median ratio lies. A ratio above 1 means that the candidate is worse.

    `better` is below `1 - margin`, `worse` above `1 + margin`; `within` is shown to be not worse, and not shown to be better.
    """
    draws = len(ratios)
    if draws == 0:
        return PairedResult.OPEN
    worse = sum(ratio > 1 + margin for ratio in ratios)
    better = sum(ratio < 1 - margin for ratio in ratios)
    if proven(log_e_above(worse, draws, 0.5), alpha):
        return PairedResult.WORSE
    if proven(log_e_above(better, draws, 0.5), alpha):
        return PairedResult.BETTER
    return PairedResult.WITHIN if proven(log_e_above(draws - worse, draws, 0.5), alpha) else PairedResult.OPEN


def interval(ratios: Sequence[float], alpha: float = _ALPHA) -> Interval:
    """Return the median ratio with its exact interval from the order of the ratios."""
    ordered, draws = sorted(ratios), len(ratios)
    cut, tail = 0, 0.0
    while cut < draws // 2 and (tail := tail + comb(draws, cut) / 2**draws) <= alpha / 2:
        cut += 1
    cut = max(cut - 1, 0)
    return Interval(median(ordered), ordered[cut], ordered[draws - 1 - cut])


@dataclass(frozen=True, kw_only=True)
class CaseComparison:
    """The result of a comparison: the cases that got better and worse, the mean difference of the scores and its interval."""

    better: tuple[str, ...]
    worse: tuple[str, ...]
    cases: int
    mean: float
    low: float
    high: float

    @property
    def result(self) -> PairedResult:
        """Say what the cases show. `within` means that no case got worse, `open` that some did and nothing is shown."""
        differ = len(self.better) + len(self.worse)
        if proven(log_e_above(len(self.worse), differ, 0.5), _ALPHA) and self.mean < 0:
            return PairedResult.WORSE
        if proven(log_e_above(len(self.better), differ, 0.5), _ALPHA) and self.mean > 0:
            return PairedResult.BETTER
        return PairedResult.OPEN if self.worse or not self.cases else PairedResult.WITHIN

    def __str__(self) -> str:
        return (
            f"{self.mean:+.3g} [{self.low:+.3g}, {self.high:+.3g}] in {self.cases} cases, {len(self.better)} better and "
            f"{len(self.worse)} worse"
        )


def compare_cases(
    base: Mapping[str, float], candidate: Mapping[str, float], tolerance: float, only: Collection[str] | None = None
) -> CaseComparison:
    """Compare the scores of the cases that both have; of those in `only`, if it is given. A higher score is better."""
    names = [name for name in sorted(base) if name in candidate and (only is None or name in only)]
    differences = {name: candidate[name] - base[name] for name in names}
    values = list(differences.values())
    low, high = _limits_of_mean(values)
    return CaseComparison(
        better=tuple(name for name, difference in differences.items() if difference > tolerance),
        worse=tuple(name for name, difference in differences.items() if difference < -tolerance),
        cases=len(names),
        mean=sum(values) / len(values) if values else 0.0,
        low=low,
        high=high,
    )


def _limits_of_mean(values: list[float]) -> tuple[float, float]:
    """Return the limits of the mean with a confidence of 95 %, by resampling the cases; the same values give the same limits."""
    if not values:
        return 0.0, 0.0
    drawn = random.Random(1)  # noqa: S311 - resampling, not a secret
    means = sorted(sum(drawn.choices(values, k=len(values))) / len(values) for _ in range(_RESAMPLES))
    cut = int(_RESAMPLES * _ALPHA / 2)
    return means[cut], means[_RESAMPLES - 1 - cut]
