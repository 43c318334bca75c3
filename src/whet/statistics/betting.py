"""Combine several bets into one, and decide when a bet is won.

A bet starts with a capital of 1 and wins money only if its hypothesis holds. A capital of 1/alpha proves the hypothesis at
error rate alpha, at any time that somebody looks (an e-process). Capitals are kept as logarithms.
"""

from collections.abc import Sequence
from math import exp, log


def average(logs: Sequence[float]) -> float:
    """Return the log-capital of one unit spread evenly over all bets.

    The average is a bet itself, and never weaker than testing each of m bets at alpha/m.
    """
    top = max(logs)
    return top + log(sum(exp(log_e - top) for log_e in logs) / len(logs))


def proven(log_e: float, alpha: float) -> bool:
    """True if the capital has reached 1/alpha."""
    return log_e >= -log(alpha)
