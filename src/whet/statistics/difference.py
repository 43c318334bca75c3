"""Evidence that a canary's error rate is less than a margin above the control's.

Each call is worth 1/p if it failed in the canary, -1/(1-p) if it failed in the control, and nothing otherwise: over a
random split with share p that averages to the difference of the two rates. The bet is that it averages less than the
margin. Only counters enter, it is exact at any sample size, and the error rate may drift as long as it does so for both.
"""

from math import log, log1p

from whet.statistics.arm import Arm
from whet.statistics.betting import average

_BOLDNESS = tuple(0.9 * 2 ** (-step / 2) for step in range(14))
"""Stakes, as parts of the largest one that cannot lose everything. Zero errors want the boldest, many the meekest."""


def log_e_within(control: Arm, canary: Arm, share: float, margin: float) -> float:
    quiet = control.calls + canary.calls - control.errors - canary.errors

    def capital(stake: float) -> float:
        return (
            canary.errors * log(1 + stake * (margin - 1 / share))
            + control.errors * log1p(stake * (margin + 1 / (1 - share)))
            + quiet * log1p(stake * margin)
        )

    return average([capital(bold * share) for bold in _BOLDNESS])
