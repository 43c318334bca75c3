"""A trend in a series: Mann-Kendall says whether there is one, Theil-Sen how steep it is."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from math import sqrt
from statistics import NormalDist, median

FEWEST = 8


@dataclass(frozen=True)
class Trend:
    """`slope` is the median change per step; `chance` the two-sided p-value that there is no trend."""

    slope: float
    chance: float


def trend(series: Sequence[float]) -> Trend | None:
    """Return the trend of equally spaced values; None if there are fewer than `FEWEST`."""
    n = len(series)
    if n < FEWEST:
        return None
    pairs = list(combinations(range(n), 2))
    score = sum((series[later] > series[earlier]) - (series[later] < series[earlier]) for earlier, later in pairs)
    ties = sum(count * (count - 1) * (2 * count + 5) for count in Counter(series).values())
    spread = sqrt((n * (n - 1) * (2 * n + 5) - ties) / 18)
    slope = median((series[later] - series[earlier]) / (later - earlier) for earlier, later in pairs)
    z = max(0, abs(score) - 1) / spread if spread else 0.0
    return Trend(slope, 2 * (1 - NormalDist().cdf(z)))
