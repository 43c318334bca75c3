"""Compare pairs of measurements, one of the base and one of a candidate, by the ratio of the two.

The test looks only at how many ratios lie on which side of a limit, so that outliers and the form of the noise do not
matter. It is the e-process of `whet.statistics.rate` with rate one half, so that a caller may look after every pair.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from math import comb
from statistics import median

from whet.statistics.betting import proven
from whet.statistics.rate import log_e_above

_ALPHA = 0.05


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
