"""What can be read of a running application's tools. `whet.domain.execution` has the tables it is read from."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from math import ceil

from whet.domain.execution import bucket_middle


@dataclass(frozen=True, kw_only=True)
class RecordedTool:
    """One version of a tool. `characteristics` is what its author said of it (`idempotent`, `side_effects`...)."""

    name: str
    version: str
    module: str
    qualname: str
    file: str | None
    kind: str
    characteristics: Mapping[str, object]
    first_at: datetime


@dataclass(frozen=True, kw_only=True)
class RecordedCall:
    """One call that was kept. `inputs` and `output` are the encoded JSON; only a `replayable` call's inputs can be given
    back as they were. `duration_ns` is None for a failure of a call that was not being timed. `number` grows as calls
    arrive."""

    number: int
    tool: str
    version: str
    arm: str
    at: datetime
    duration_ns: int | None
    failed: bool
    replayable: bool
    inputs: str
    output: str | None
    signature: str | None
    message: str | None


@dataclass(frozen=True, kw_only=True)
class FailureSignature:
    """Failures that are one failure: same error, same way through the tool's own project. `errors` counts those that were
    kept; `frames` are (file, function, line) of the last seen kind, from the tool inwards."""

    tool: str
    version: str
    signature: str
    error: str
    message: str
    frames: tuple[tuple[str, str, int], ...]
    errors: int
    first_at: datetime
    last_at: datetime


@dataclass(frozen=True, kw_only=True)
class Overhead:
    """The tools' own time, and what recording their calls took of the same processes."""

    own_seconds: float
    spent_seconds: float


@dataclass(frozen=True, kw_only=True)
class Rollup:
    """All calls of a tool, version and arm in a stretch of time. `calls` and `errors` are exact; times are those of the
    `timed` calls, a random sample where recording had to be sampled."""

    tool: str
    version: str
    arm: str
    began_at: datetime
    length: timedelta
    calls: int
    errors: int
    kept: int
    timed: int
    duration_ns: int
    log_sum: float
    log_squares: float
    latencies: Mapping[int, int] = field(default_factory=dict)
    failures: Mapping[str, int] = field(default_factory=dict)

    @property
    def mean_ns(self) -> float | None:
        return self.duration_ns / self.timed if self.timed else None

    def quantile_ns(self, share: float) -> float | None:
        """The time that `share` of the calls did not exceed, as near as the buckets tell: within 9 %."""
        wanted = ceil(share * sum(self.latencies.values()))
        seen = 0
        for bucket in sorted(self.latencies):
            seen += self.latencies[bucket]
            if seen >= wanted:
                return bucket_middle(bucket)
        return None


@dataclass(frozen=True, kw_only=True)
class Pruned:
    successes: int
    failures: int
    minutes: int
