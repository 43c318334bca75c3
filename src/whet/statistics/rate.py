"""Bet on a rate: compare the share of hits among draws with a known rate.

One test answers four questions:

- Two error rates: unless the canary is worse, its share of all errors is its share of the traffic. The number of calls
  and a drift of the error rate cancel out.
- Latency: the same with slow calls in place of errors.
- Pairs in a shadow: unless the candidate is worse, it is the worse one in half of the pairs that differ.
- The split: the canary's share of all calls is the configured share.

Draws must be independent. Calls with the same routing key all go to the same arm; if errors depend on the key, keys must
be counted instead of calls.
"""

from collections.abc import Callable
from math import exp, log, log1p

from whet.statistics.beta import log_beta, log_beta_above
from whet.statistics.betting import average

_HALVINGS = 40


def log_e_above(hits: int, draws: int, rate: float) -> float:
    """Return the log-capital of the bet that the true rate is above `rate`.

    It is a mixture of bets on every q above `rate`. The weights are even for rates of at least one half; for smaller rates
    they are larger near the rate, where a canary with little traffic needs them.
    """
    b = max(1.0, (1 - rate) / rate)
    all_weight = b * log1p(-rate) - log(b)
    mixed = log_beta_above(rate, 1 + hits, b + draws - hits) - all_weight
    return mixed - _log_chance(hits, draws, rate)


def log_e_below(hits: int, draws: int, rate: float) -> float:
    """Return the log-capital of the bet that the true rate is below `rate`.

    Half of the stake is on no hit at all, which is usual for a good candidate; the first hit loses that half.
    """
    mixed = log_e_above(draws - hits, draws, 1 - rate)
    return average((mixed, -_log_chance(0, draws, rate))) if not hits else mixed - log(2)


def log_e_other(hits: int, draws: int, rate: float) -> float:
    """Return the log-capital of the bet that the true rate is above or below `rate`."""
    a, b = max(1.0, rate / (1 - rate)), max(1.0, (1 - rate) / rate)
    mixed = log_beta(a + hits, b + draws - hits) - log_beta(a, b)
    return mixed - _log_chance(hits, draws, rate)


def ceiling(hits: int, draws: int, alpha: float) -> float:
    """Return the exact (Clopper-Pearson) upper limit of the rate, for a fixed number of draws such as a past baseline."""
    if hits >= draws:
        return 1.0
    return _smallest_excluded(lambda rate: _chance_of_at_most(hits, draws, rate) <= alpha)


def _chance_of_at_most(hits: int, draws: int, rate: float) -> float:
    whole = log_beta(hits + 1, draws - hits)
    return exp(log_beta_above(rate, hits + 1, draws - hits) - whole)


def _log_chance(hits: int, draws: int, rate: float) -> float:
    return hits * log(rate) + (draws - hits) * log1p(-rate)


def _smallest_excluded(excluded: Callable[[float], bool]) -> float:
    """Return, by bisection, the smallest excluded rate; 1 if none is. Every rate above an excluded one must be too."""
    low, high = 0.0, 1.0
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        low, high = (low, middle) if excluded(middle) else (middle, high)
    return high
