from dataclasses import dataclass, field, replace
from math import log

from whet.statistics.moments import Moments

_SHORTEST_SECONDS = 1e-9


@dataclass(frozen=True)
class Arm:
    """One arm of a comparison: the counters of one version's calls.

    `slow` counts timed calls above a limit that is the same for both arms and was fixed before the calls were made,
    usually the 95th percentile of the baseline. A limit computed from the same calls would favour one arm; so would
    timing a larger share of one arm's calls. `log_seconds` are the logarithms of the durations of the timed calls.

    `units` are those of the calls that were drawn in groups, one for each group of routing keys; the other calls were
    drawn by themselves.
    """

    calls: int = 0
    errors: int = 0
    slow: int = 0
    log_seconds: Moments = field(default_factory=Moments)
    units: tuple["Arm", ...] = ()

    @property
    def alone(self) -> "Arm":
        """Return the calls that were drawn by themselves."""
        if not self.units:
            return self
        return Arm(
            calls=self.calls - sum(unit.calls for unit in self.units),
            errors=self.errors - sum(unit.errors for unit in self.units),
            slow=self.slow - sum(unit.slow for unit in self.units),
            log_seconds=self.log_seconds.without([unit.log_seconds for unit in self.units]),
        )

    @property
    def all_timed(self) -> bool:
        return self.log_seconds.count == self.calls

    def after(self, seconds: float, slow_above: float, *, failed: bool) -> "Arm":
        """Return the arm after one more call."""
        return replace(
            self,
            calls=self.calls + 1,
            errors=self.errors + failed,
            slow=self.slow + (seconds > slow_above),
            log_seconds=self.log_seconds.after(log(max(seconds, _SHORTEST_SECONDS))),
        )


@dataclass(frozen=True)
class Pairs:
    """The counters of a shadow: the same inputs run on both versions.

    `calls` are the inputs that the old version answered. Among them, `worse` are those where only the candidate failed,
    and `different` those that it answered differently. `better` are the inputs where only the old version failed; they
    are not part of `calls`, because failures are captured more often than answers and would distort the shares.
    """

    calls: int = 0
    worse: int = 0
    better: int = 0
    different: int = 0

    @property
    def mismatches(self) -> int:
        return self.worse + self.different
