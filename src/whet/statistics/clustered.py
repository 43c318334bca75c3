"""Compare two arms whose calls were drawn in groups, by routing key.

Calls of one key go to one version and resemble each other, so the number of calls says nothing about chance. The groups
were drawn, and only they are counted: under the hypothesis that the version makes no difference, what each group measures
is fixed, and chance is only in which groups the candidate got. The tail of that chance is bounded (Chernoff's bound over
all draws), for any numbers of calls per key, however unequal, and for keys that always fail.

The bound holds for one look. `terms.alpha` must be the part of alpha that is spent on this look: see `looks.py`.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import ceil, exp, log, log1p, sqrt
from typing import Literal

from whet.domain.version import share_of_units
from whet.statistics.arm import Arm

FEWEST_UNITS = 20
FEWEST_OF_CANDIDATE = 4
"""With fewer groups, chance alone could give the candidate all that are worse."""

_STEPS = 40
_CLOSE = 1e-9


Measure = Literal["errors", "slow", "log_seconds"]
Weight = tuple[float, float, float]
"""The weight of a draw, its chance, and how many such draws were made."""


@dataclass(frozen=True)
class Draw:
    """Measurements that were drawn together: their sum and how many there are. `times` such draws were made, each with
    this chance of the candidate."""

    total: float
    size: float
    chance: float
    times: float = 1.0


def fewest_units(share: float) -> int:
    """Return the least number of groups from which anything can be shown."""
    return max(FEWEST_UNITS, ceil(FEWEST_OF_CANDIDATE / min(share, 1 - share)))


def log_p_more(control: Arm, candidate: Arm, share: float, measure: Measure, more: float = 0.0) -> float:
    """Return the logarithm of a bound on the chance of this result, if the candidate has at most `more` per call."""
    return _log_p(control, candidate, share, measure, more, 1.0)


def log_p_less(control: Arm, candidate: Arm, share: float, measure: Measure, more: float = 0.0) -> float:
    """Return the logarithm of a bound on the chance of this result, if the candidate has at least `more` per call."""
    return _log_p(control, candidate, share, measure, more, -1.0)


def _log_p(control: Arm, candidate: Arm, share: float, measure: Measure, more: float, sign: float) -> float:
    old = _draws(control, share, measure)
    new = [replace(draw, total=draw.total - more * draw.size) for draw in _draws(candidate, share, measure)]
    size = sum(draw.size * draw.times for draw in (*old, *new))
    if not size:
        return 0.0
    mean = sum(draw.total * draw.times for draw in (*old, *new)) / size
    observed = sign * sum((draw.total - mean * draw.size) * draw.times for draw in new)
    weights = [(sign * (draw.total - mean * draw.size), draw.chance, draw.times) for draw in (*old, *new)]
    return _log_tail(observed, [weight for weight in weights if weight[0]])


def _draws(arm: Arm, share: float, measure: Measure) -> list[Draw]:
    grouped = [Draw(*_sum_and_size(unit, measure), share_of_units(share)) for unit in arm.units]
    return [draw for draw in (*grouped, *_drawn_alone(arm.alone, share, measure)) if draw.size > 0 and draw.times > 0]


def _drawn_alone(alone: Arm, share: float, measure: Measure) -> list[Draw]:
    """Return calls that were drawn by themselves. Of durations only mean and spread are known: two values stand for them."""
    total, size = _sum_and_size(alone, measure)
    if measure != "log_seconds":
        return [Draw(1.0, 1.0, share, total), Draw(0.0, 1.0, share, size - total)]
    if not size:
        return []
    mean, spread = total / size, sqrt(alone.log_seconds.variance)
    return [Draw(mean - spread, 1.0, share, size / 2), Draw(mean + spread, 1.0, share, size / 2)]


def _sum_and_size(arm: Arm, measure: Measure) -> tuple[float, float]:
    if measure == "errors":
        return arm.errors, arm.calls
    return (arm.slow if measure == "slow" else arm.log_seconds.total), arm.log_seconds.count


def _log_tail(observed: float, weights: Sequence[Weight]) -> float:
    """Return the logarithm of Chernoff's bound on the probability that a random sum reaches `observed`.

    `weights` are (weight, chance, times): the sum has `times` independent terms that are `weight` with that chance and
    otherwise 0. The exponent is convex; bisection on its slope finds the least value.
    """
    most = sum(weight * times for weight, _, times in weights if weight > 0)
    centre = sum(weight * chance * times for weight, chance, times in weights)
    if observed <= centre or not weights:
        return 0.0
    if observed >= most - _CLOSE * abs(most):
        return sum(times * (log(chance) if weight > 0 else log1p(-chance)) for weight, chance, times in weights)
    low, high = 0.0, 1.0 / max(abs(weight) for weight, _, _ in weights)
    while _slope(high, weights) < observed and high < 1e12:
        low, high = high, 2 * high
    for _ in range(_STEPS):
        middle = (low + high) / 2
        if _slope(middle, weights) < observed:
            low = middle
        else:
            high = middle
        if high - low < 1e-6 * high:
            break
    return min(0.0, _log_moment(high, weights) - high * observed)


def _log_moment(tilt: float, weights: Sequence[Weight]) -> float:
    total = 0.0
    for weight, chance, times in weights:
        lifted = tilt * weight
        total += times * (
            log1p(chance * (exp(lifted) - 1)) if lifted < 30 else lifted + log(chance + (1 - chance) * exp(-lifted))
        )
    return total


def _slope(tilt: float, weights: Sequence[Weight]) -> float:
    """Return the mean of the sum under the tilted draws."""
    total = 0.0
    for weight, chance, times in weights:
        lifted = -tilt * weight
        total += times * weight * (chance / (chance + (1 - chance) * exp(lifted)) if lifted < 700 else 0.0)
    return total
