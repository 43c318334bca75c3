"""Several bets as one, and when a bet is won."""

from collections.abc import Sequence
from math import exp, log


def average(logs: Sequence[float]) -> float:
    """The capital of somebody who spread one unit over all the bets: a bet again, and never worse than alpha/m each."""
    top = max(logs)
    return top + log(sum(exp(one - top) for one in logs) / len(logs))


def proven(log_e: float, alpha: float) -> bool:
    return log_e >= -log(alpha)
