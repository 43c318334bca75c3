"""Series that move together: Spearman's correlation of their changes, corrected for the number of pairs."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise
from math import atanh, sqrt
from statistics import NormalDist

from whet.statistics.series.two_windows import ranks

FEWEST = 12
FALSE_SHARE = 0.05
"""The share of reported pairs that may be false, by Benjamini and Hochberg."""


@dataclass(frozen=True)
class Correlation:
    """Two series whose changes go together; `rho` is Spearman's coefficient."""

    first: str
    second: str
    rho: float
    chance: float


def correlations(series: Mapping[str, Sequence[float]], least: float) -> list[Correlation]:
    """Return the pairs with a coefficient of at least `least` in size that chance does not explain, the strongest first.

    The series must be of equal length. Their changes are compared, not their values: two series that both grow would
    correlate whatever they are.
    """
    changes = {name: [after - before for before, after in pairwise(values)] for name, values in series.items()}
    tested = []
    for (first, a), (second, b) in combinations(changes.items(), 2):
        if len(a) >= FEWEST - 1 and (rho := spearman(a, b)) is not None:
            tested.append(Correlation(first, second, rho, _chance(rho, len(a))))
    tested.sort(key=lambda pair: pair.chance)
    below = [place for place, pair in enumerate(tested, 1) if pair.chance <= FALSE_SHARE * place / len(tested)]
    kept = tested[: max(below, default=0)]
    return sorted((pair for pair in kept if abs(pair.rho) >= least), key=lambda pair: -abs(pair.rho))


def spearman(a: Sequence[float], b: Sequence[float]) -> float | None:
    """Return the correlation of the ranks; None if one series does not vary."""
    x, y = ranks(a), ranks(b)
    centre = (len(a) + 1) / 2
    dx, dy = [rank - centre for rank in x], [rank - centre for rank in y]
    size = sqrt(sum(d * d for d in dx) * sum(d * d for d in dy))
    return sum(p * q for p, q in zip(dx, dy, strict=True)) / size if size else None


def _chance(rho: float, n: int) -> float:
    """Return the two-sided p-value by Fisher's transformation, with the variance that Fieller gives for ranks."""
    if abs(rho) >= 1:
        return 0.0
    z = abs(atanh(rho)) * sqrt((n - 3) / 1.06)
    return 2 * (1 - NormalDist().cdf(z))
