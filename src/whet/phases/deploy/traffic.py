"""Sum the captured calls of a module's tools by version, in the form that the statistics need."""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from math import log

from whet.config import DeployPolicy
from whet.domain.captured import Rollup
from whet.domain.execution import BUCKETS_PER_OCTAVE
from whet.domain.version import CONTROL, CURRENT
from whet.statistics.arm import Arm
from whet.statistics.moments import Moments
from whet.statistics.terms import Terms
from whet.store.executions import Executions
from whet.store.versions import Versions

_NANOSECONDS = log(1e9)
_SLOW = 0.95
_MINUTE, _DAY = timedelta(minutes=1), timedelta(days=1)


@dataclass(frozen=True)
class Traffic:
    """Totals over all tools of some modules. The sums are of the logarithms of durations and of their squares.

    `units` are those of the calls that a trial divided by routing key, one for each group of keys.
    """

    calls: int = 0
    errors: int = 0
    timed: int = 0
    log_sum: float = 0.0
    log_squares: float = 0.0
    latencies: Mapping[int, int] = field(default_factory=dict)
    failures: Mapping[str, int] = field(default_factory=dict)
    units: "tuple[Traffic, ...]" = ()

    def without_failure(self, signature: str) -> "Traffic":
        """Return these totals with the failures of this signature counted as successes.

        Only some failures are captured with their signature. The signature is assumed to have the same share of all
        failures as of the captured ones.
        """
        captured = sum(self.failures.values())
        if not signature or not captured:
            return self
        mended = round(self.errors * self.failures.get(signature, 0) / captured)
        return replace(self, errors=self.errors - mended)

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
        units = tuple(unit.arm(limit) for unit in self.units if unit.calls)
        mean = self.log_sum / self.timed if self.timed else 0.0
        deviations = max(self.log_squares - self.timed * mean * mean, 0.0)
        slow = sum(calls for bucket, calls in self.latencies.items() if limit is not None and bucket > limit)
        moments = Moments(self.timed, mean - _NANOSECONDS, deviations) if self.timed else Moments()
        return Arm(self.calls, self.errors, slow, moments, units)


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
    """Return the totals of some rows, with those of each group of routing keys in them."""
    by_unit: defaultdict[str, list[Rollup]] = defaultdict(list)
    for row in (rows := list(rows)):
        if row.unit:
            by_unit[row.unit].append(row)
    units = tuple(_sums(by_unit[unit]) for unit in sorted(by_unit))
    return replace(_sums(rows), units=units) if units else _sums(rows)


def _sums(rows: Iterable[Rollup]) -> Traffic:
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


def slow_limit_before(executions: Executions, modules: Collection[str], began: datetime) -> int | None:
    """Return the latency bucket of the 95th percentile of the day before a trial; None if no call was timed.

    A limit from the trial's own calls would favour the arm that it was computed from.
    """
    names = sorted({tool.name for tool in executions.tools() if tool.module in modules})
    if not names:
        return None
    minute = began.replace(second=0, microsecond=0)
    rows = executions.rollups(*names, since=minute - _DAY, length=_MINUTE)
    return total(row for row in rows if row.began_at < minute and row.arm in (CURRENT, CONTROL)).slow_above()


def terms_of(policy: DeployPolicy) -> Terms:
    """Return the error probability and the margins that the policy allows a trial or a watch."""
    return Terms(
        alpha=1 - policy.significance,
        error_margin=policy.error_margin,
        latency_margin=policy.latency_margin,
        mismatch_margin=policy.mismatch_margin,
    )


def refusal_of(versions: Versions, digests: Mapping[str, str]) -> str:
    """Return why a running process refused one of these versions (module -> digest), or ''.

    It could not load the version, or stopped it after many failures in a row.
    """
    for running in versions.running():
        for module, digest in digests.items():
            if reason := running.modules.get(module, {}).get("refused", {}).get(digest[:16]):
                return f"process {running.process.pid} refused it: {reason}"
    return ""
