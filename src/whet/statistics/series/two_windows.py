"""Compare a recent window with the one before it: rates by Newcombe's interval, values by ranks.

Both answers have a size and a chance. With much data any difference is beyond chance, with little data none is; so the
caller asks for both. Samples are taken as independent; bursts in one cause make the chance too optimistic.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from math import sqrt
from statistics import NormalDist

FEWEST = 30
"""The least number of values on each side of a comparison by ranks."""


@dataclass(frozen=True)
class RankShift:
    """The difference between the values of a recent window and those before.

    `delta` is Cliff's: the share of pairs in which the recent value is larger, less the share in which it is smaller.
    `chance` is the two-sided p-value of the Mann-Whitney test.
    """

    delta: float
    chance: float


def rate_interval(hits: int, draws: int, recent_hits: int, recent_draws: int, alpha: float) -> tuple[float, float]:
    """Return an interval for the increase of a rate that holds with probability 1 - alpha (Newcombe's hybrid score, 1998)."""
    if not draws or not recent_draws:
        return -1.0, 1.0
    z = NormalDist().inv_cdf(1 - alpha / 2)
    rate, recent = hits / draws, recent_hits / recent_draws
    low, high = _wilson(rate, draws, z)
    recent_low, recent_high = _wilson(recent, recent_draws, z)
    gap = recent - rate
    return (
        gap - sqrt((recent - recent_low) ** 2 + (high - rate) ** 2),
        gap + sqrt((recent_high - recent) ** 2 + (rate - low) ** 2),
    )


def _wilson(rate: float, draws: int, z: float) -> tuple[float, float]:
    centre = rate + z * z / (2 * draws)
    half = z * sqrt(rate * (1 - rate) / draws + z * z / (4 * draws * draws))
    scale = 1 + z * z / draws
    return (centre - half) / scale, (centre + half) / scale


def rank_shift(before: Sequence[float], recent: Sequence[float]) -> RankShift | None:
    """Compare two samples by ranks; None if one has fewer than `FEWEST` values."""
    n, m = len(before), len(recent)
    if min(n, m) < FEWEST:
        return None
    ranks, ties = _ranks([*before, *recent])
    u = sum(ranks[n:]) - m * (m + 1) / 2
    total = n + m
    spread = sqrt(n * m / 12 * (total + 1 - ties / (total * (total - 1))))
    if not spread:
        return RankShift(0.0, 1.0)
    z = max(0.0, abs(u - n * m / 2) - 0.5) / spread
    return RankShift(2 * u / (n * m) - 1, 2 * (1 - NormalDist().cdf(z)))


def _ranks(values: Sequence[float]) -> tuple[list[float], float]:
    """Return the rank of each value, ties sharing their mean, and the sum of t³ - t over the groups of ties."""
    order = sorted(range(len(values)), key=values.__getitem__)
    ranks, ties, first = [0.0] * len(values), 0.0, 1
    for _, group in groupby(order, key=values.__getitem__):
        members = list(group)
        for index in members:
            ranks[index] = first + (len(members) - 1) / 2
        ties += len(members) ** 3 - len(members)
        first += len(members)
    return ranks, ties


def ranks(values: Sequence[float]) -> list[float]:
    """Return the rank of each value; equal values share their mean rank."""
    return _ranks(values)[0]
