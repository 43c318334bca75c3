"""Captured tools and calls of a running application, read from the tables in `whet.domain.execution`."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from math import ceil

from whet.domain.execution import bucket_middle


@dataclass(frozen=True, kw_only=True)
class CapturedTool:
    """One version of a tool. `characteristics` are its author's declarations (`idempotent`, `side_effects`...)."""

    name: str
    version: str
    module: str
    qualname: str
    file: str | None
    kind: str
    characteristics: Mapping[str, object]
    first_at: datetime


@dataclass(frozen=True, kw_only=True)
class CapturedCall:
    """One call that was kept in full.

    `inputs` and `output` are encoded JSON; the inputs can be decoded to equal values only if the call is `replayable`.
    `duration_ns` is None for a failed call that was not timed. `number` increases in the order of arrival.
    """

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
    """A group of failures with the same error and the same path through the tool's own project.

    `errors` counts the kept failures. `frames` are (file, function, line) of the latest one, from the tool inwards.
    """

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
    """The time that tools took, and the time that capturing their calls took in the same processes."""

    own_seconds: float
    spent_seconds: float


@dataclass(frozen=True, kw_only=True)
class Rollup:
    """The totals of all calls of one tool, version and arm in a period of time.

    `unit` is the group of routing keys whose calls these are; empty unless they were drawn by key in a trial. `calls` and
    `errors` are exact. Durations cover the `timed` calls only, a random sample if capturing was sampled.
    """

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
    unit: str = ""

    @property
    def mean_ns(self) -> float | None:
        return self.duration_ns / self.timed if self.timed else None

    def quantile_ns(self, share: float) -> float | None:
        """Return the duration that `share` of the timed calls did not exceed, within 9 % (the bucket width)."""
        needed = ceil(share * sum(self.latencies.values()))
        counted = 0
        for bucket in sorted(self.latencies):
            counted += self.latencies[bucket]
            if counted >= needed:
                return bucket_middle(bucket)
        return None


@dataclass(frozen=True, kw_only=True)
class Pruned:
    """The number of rows that one `prune` deleted."""

    successes: int
    failures: int
    minutes: int
