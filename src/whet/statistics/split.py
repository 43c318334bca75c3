"""Whether the calls were divided as asked. A split that is off means calls that got lost or were sent elsewhere, and
then nothing else that was counted can be believed."""

from whet.statistics.arm import Arm
from whet.statistics.betting import proven
from whet.statistics.rate import log_e_other


def broken_split(control: Arm, canary: Arm, share: float, alpha: float) -> str | None:
    calls = control.calls + canary.calls
    if not proven(log_e_other(canary.calls, calls, share), alpha):
        return None
    return f"the split is broken: {canary.calls} of {calls} calls went to the candidate where {share:.1%} should have"
