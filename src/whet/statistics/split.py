"""Check that the calls were split between the arms as configured.

A broken split means that calls were lost or misrouted; then no other comparison of the arms is valid.
"""

from whet.statistics.arm import Arm
from whet.statistics.betting import proven
from whet.statistics.rate import log_e_other


def broken_split(control: Arm, canary: Arm, share: float, alpha: float) -> str | None:
    """Return a message if the split is proven broken, else None."""
    calls = control.calls + canary.calls
    if not proven(log_e_other(canary.calls, calls, share), alpha):
        return None
    return f"the split is broken: {canary.calls} of {calls} calls went to the candidate where {share:.1%} should have"
