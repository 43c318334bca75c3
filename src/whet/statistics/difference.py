"""Bet that a canary's error rate is less than a margin above the control's.

Each call scores 1/p if it failed in the canary, -1/(1-p) if it failed in the control, and 0 otherwise. Over a random
split with share p the mean score is the difference of the two rates; the bet is that it is below the margin. The test
needs only counters, is exact at any sample size, and allows the error rate to drift if it does so in both arms.
"""

from math import log, log1p

from whet.statistics.arm import Arm
from whet.statistics.betting import average

_STAKES = tuple(0.9 * 2 ** (-step / 2) for step in range(14))
"""The stakes to bet, as shares of the largest stake that cannot lose all capital. Large ones suit few errors, small ones many."""


def log_e_within(control: Arm, canary: Arm, share: float, margin: float) -> float:
    """Return the log-capital of the bet that the canary's error rate is within the margin."""
    successes = control.calls + canary.calls - control.errors - canary.errors

    def capital(stake: float) -> float:
        return (
            canary.errors * log(1 + stake * (margin - 1 / share))
            + control.errors * log1p(stake * (margin + 1 / (1 - share)))
            + successes * log1p(stake * margin)
        )

    return average([capital(part * share) for part in _STAKES])
