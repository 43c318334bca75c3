from dataclasses import dataclass, field, replace
from math import log

from whet.statistics.moments import Moments

_SHORTEST_SECONDS = 1e-9


@dataclass(frozen=True)
class Arm:
    """What one version did: counters only, so that a look costs nothing more as calls add up.

    `slow` counts the calls above a limit that was set before they were made, for both arms the same; the baseline's
    95th percentile is the usual one. A limit taken from the very calls it is applied to would favour one arm, and so would
    durations that are known of a larger sample of one arm than of the other.
    `log_seconds` are the durations' logarithms, of those calls that were timed; `slow` is counted among these.
    """

    calls: int = 0
    errors: int = 0
    slow: int = 0
    log_seconds: Moments = field(default_factory=Moments)

    @property
    def all_timed(self) -> bool:
        return self.log_seconds.count == self.calls

    def after(self, seconds: float, slow_above: float, *, failed: bool) -> "Arm":
        return replace(
            self,
            calls=self.calls + 1,
            errors=self.errors + failed,
            slow=self.slow + (seconds > slow_above),
            log_seconds=self.log_seconds.after(log(max(seconds, _SHORTEST_SECONDS))),
        )


@dataclass(frozen=True)
class Pairs:
    """The same inputs given to both versions: `calls` that the old one answered, those of them where only the candidate
    failed and where it answered otherwise; and, beside them, those where only the old one failed. Failures are on record
    more often than answers, so that they must not count among what could have been worse."""

    calls: int = 0
    worse: int = 0
    better: int = 0
    different: int = 0

    @property
    def mismatches(self) -> int:
        return self.worse + self.different
