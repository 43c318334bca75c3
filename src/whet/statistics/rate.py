"""Evidence about one rate: how many of the draws were hits, against a rate that is known.

One test serves four questions, because each is a rate in disguise. Two error rates: of all errors, the canary's part is
its part of the traffic unless it is worse; how many calls there were, and how the error rate drifts meanwhile, drops
out. Latency: the same with slow calls for errors. Pairs in a shadow: of the pairs that differ, half are worse. The
split: of all calls, the canary's part is what was asked for.

Draws must be independent. Calls that share a routing key go the same way together, so where errors follow the key it
is keys that have to be counted, not calls.
"""

from collections.abc import Callable
from math import exp, log, log1p

from whet.statistics.beta import log_beta, log_beta_above
from whet.statistics.betting import average

_HALVINGS = 40


def log_e_above(hits: int, draws: int, rate: float) -> float:
    """Evidence that the true rate is above `rate`.

    A mixture of the bets on every q above `rate`: weighed evenly from one half on, and for smaller rates more heavily
    near the rate, which is where a canary with little traffic needs its weight.
    """
    b = max(1.0, (1 - rate) / rate)
    all_weight = b * log1p(-rate) - log(b)
    mixed = log_beta_above(rate, 1 + hits, b + draws - hits) - all_weight
    return mixed - _log_chance(hits, draws, rate)


def log_e_below(hits: int, draws: int, rate: float) -> float:
    """Evidence that the true rate is below `rate`. Half of the stake is on no hit at all, the usual case of a good
    candidate; the first hit loses it."""
    mixed = log_e_above(draws - hits, draws, 1 - rate)
    return average((mixed, -_log_chance(0, draws, rate))) if not hits else mixed - log(2)


def log_e_other(hits: int, draws: int, rate: float) -> float:
    """Evidence that the true rate is another one, either way."""
    a, b = max(1.0, rate / (1 - rate)), max(1.0, (1 - rate) / rate)
    mixed = log_beta(a + hits, b + draws - hits) - log_beta(a, b)
    return mixed - _log_chance(hits, draws, rate)


def upper_bound(hits: int, draws: int, alpha: float) -> float:
    """A rate that the true one stays below at all times together, but for a chance of alpha.

    With no hit this takes a seventh more calls than the familiar 59, 299 and 2,995 for 5 %, 1 % and 0.1 %: those hold
    when the number of calls was fixed beforehand, this one when somebody looks after each.
    """
    return _crossing(lambda rate: log_e_below(hits, draws, rate) >= -log(alpha))


def ceiling(hits: int, draws: int, alpha: float) -> float:
    """The same for a number of draws that is fixed: the exact (Clopper-Pearson) limit, for a baseline that is over."""
    if hits >= draws:
        return 1.0
    return _crossing(lambda rate: _chance_of_at_most(hits, draws, rate) <= alpha)


def _chance_of_at_most(hits: int, draws: int, rate: float) -> float:
    whole = log_beta(hits + 1, draws - hits)
    return exp(log_beta_above(rate, hits + 1, draws - hits) - whole)


def _log_chance(hits: int, draws: int, rate: float) -> float:
    return hits * log(rate) + (draws - hits) * log1p(-rate)


def _crossing(excluded: Callable[[float], bool]) -> float:
    """The smallest excluded rate, where every higher one is excluded too; 1 where none is."""
    low, high = 0.0, 1.0
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        low, high = (low, middle) if excluded(middle) else (middle, high)
    return high
