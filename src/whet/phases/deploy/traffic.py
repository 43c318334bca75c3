"""Sum the recorded calls of a module's tools by version, in the form that the statistics need."""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from math import log

from whet.domain.execution import BUCKETS_PER_OCTAVE
from whet.domain.recorded import Rollup
from whet.statistics.arm import Arm
from whet.statistics.moments import Moments
from whet.store.executions import Executions
from whet.store.versions import Versions

_NANOSECONDS = log(1e9)
_SLOW = 0.95
_MINUTE = timedelta(minutes=1)


@dataclass(frozen=True)
class Traffic:
    """Totals over all tools of some modules. The sums are of the logarithms of durations and of their squares."""

    calls: int = 0
    errors: int = 0
    timed: int = 0
    log_sum: float = 0.0
    log_squares: float = 0.0
    latencies: Mapping[int, int] = field(default_factory=dict)
    failures: Mapping[str, int] = field(default_factory=dict)

    def slow_above(self) -> int | None:
        """Return the latency bucket of the 95th percentile; None if no call was timed."""
        timed, cumulated = sum(self.latencies.values()), 0
        for bucket, calls in sorted(self.latencies.items()):
            cumulated += calls
            if cumulated >= _SLOW * timed:
                return bucket
        return None

    def arm(self, limit: int | None) -> Arm:
        """Return these totals as one arm of a comparison; calls in a latency bucket above `limit` count as slow."""
        mean = self.log_sum / self.timed if self.timed else 0.0
        deviations = max(self.log_squares - self.timed * mean * mean, 0.0)
        slow = sum(calls for bucket, calls in self.latencies.items() if limit is not None and bucket > limit)
        moments = Moments(self.timed, mean - _NANOSECONDS, deviations) if self.timed else Moments()
        return Arm(self.calls, self.errors, slow, moments)


def raised_limit(limit: int | None, margin: float) -> int | None:
    """Return the latency bucket that is higher by the relative margin, rounded up to whole buckets."""
    return None if limit is None else limit + round(BUCKETS_PER_OCTAVE * log(1 + margin, 2) + 0.5)


class TrafficCounts:
    """The totals of all tools of some modules, read at one moment so that arms can be compared."""

    def __init__(self, executions: Executions, modules: Collection[str], since: datetime | None = None) -> None:
        # Minute totals are pruned, hour totals are kept: without `since`, only the hours cover all calls.
        names = {tool.name for tool in executions.tools() if tool.module in modules}
        length = _MINUTE if since else timedelta(hours=1)
        self._rows = executions.rollups(*sorted(names), since=since, length=length) if names else ()

    def traffic(self, versions: Collection[str], arm: str) -> Traffic:
        """Return the totals of some versions in one arm."""
        return total(row for row in self._rows if row.version in versions and row.arm == arm)


def total(rows: Iterable[Rollup]) -> Traffic:
    """Add up the calls, errors and latencies of recorded rows."""
    latencies: Counter[int] = Counter()
    failures: Counter[str] = Counter()
    calls = errors = timed = 0
    log_sum = log_squares = 0.0
    for row in rows:
        calls, errors, timed = calls + row.calls, errors + row.errors, timed + row.timed
        log_sum, log_squares = log_sum + row.log_sum, log_squares + row.log_squares
        latencies.update(row.latencies)
        failures.update(row.failures)
    return Traffic(calls, errors, timed, log_sum, log_squares, latencies, failures)


def refusal_of(versions: Versions, digests: Mapping[str, str]) -> str:
    """Return why a running process refused one of these versions (module -> digest), or ''.

    It could not load the version, or stopped it after many failures in a row.
    """
    for running in versions.running():
        for module, digest in digests.items():
            if reason := running.modules.get(module, {}).get("refused", {}).get(digest[:16]):
                return f"process {running.process.pid} refused it: {reason}"
    return ""
