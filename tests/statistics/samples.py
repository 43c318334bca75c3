"""Make arms with exact counts, without random draws; durations are symmetric around their mean."""

from whet.statistics.arm import Arm
from whet.statistics.moments import Moments


def arm(calls: int, errors: int = 0, slow: int = 0, log_seconds: float = 0.0, spread: float = 0.5) -> Arm:
    return Arm(calls, errors, slow, Moments(calls, log_seconds, spread**2 * max(calls - 1, 0)))
