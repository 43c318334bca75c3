"""The places of facts in an item of a stream: the field names of whet's own schema and of common tracing and logging tools."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import lru_cache
from typing import Any

Names = tuple[str, ...]
_MOST_KEYS, _LONGEST_KEY = 64, 100


@dataclass(frozen=True)
class FieldMap:
    """The names of the fields for each fact, the first that has a value counts. A dot leads into an object."""

    id: Names
    at: Names
    end: Names
    name: Names
    failed: Names
    seconds: Names
    milliseconds: Names
    exception: Names
    message: Names
    stack: Names
    fingerprint: Names
    inputs: Names
    value: Names = ()
    failing: frozenset[str] = frozenset()
    """Values of `failed` that mean failure, besides the usual words."""

    def within(self, keys: tuple[str, ...]) -> "FieldMap":
        """Return the map with only the names that an item with these keys can have. Items of a stream share few sets of keys,
        so that the answer is remembered, unless a hostile item would fill the memory with its keys."""
        if len(keys) > _MOST_KEYS or max(map(len, keys), default=0) > _LONGEST_KEY:
            return self
        return _within(self, keys)


# whet's own schema first; then OpenTelemetry's JSON, LangSmith, Langfuse, OpenInference, Weave, and structured logs.
COMMON = FieldMap(
    id=("id", "span_id", "context.span_id", "spanId", "run_id"),
    at=("at", "start_time", "startTime", "started_at", "timestamp", "@timestamp", "time", "ts", "asctime"),
    end=("end_time", "endTime", "ended_at"),
    name=("name", "operation", "op_name", "tool", "logger", "logger_name", "service"),
    failed=("status", "status.status_code", "status.code", "status_code", "level", "levelname", "severity", "log.level"),
    seconds=("seconds", "duration_seconds", "latency"),
    milliseconds=("duration_ms", "latency_ms", "durationMs", "elapsed_ms"),
    exception=("error.type", "exception.type", "exc_type", "error_type", "exception_type", "error.kind"),
    message=(
        "error.message", "exception.message", "statusMessage", "status_message", "status.description", "status.message",
        "message", "msg", "event", "body",
    ),
    stack=(
        "error.stack", "exception.stacktrace", "error.stack_trace", "stack", "stacktrace", "stack_trace", "traceback",
        "exc_info", "error", "exception",
    ),
    fingerprint=("fingerprint", "error.fingerprint"),
    inputs=("input", "inputs", "arguments"),
)  # fmt: skip
_FAILED = frozenset(
    {
        "error",
        "failed",
        "failure",
        "fatal",
        "critical",
        "exception",
        "err",
        "crash",
        "timeout",
        "status_code_error",
        "2",
    }
)


@lru_cache(maxsize=1024)
def _within(fields: FieldMap, keys: tuple[str, ...]) -> FieldMap:
    present = frozenset(keys)

    def kept(names: Names) -> Names:
        return tuple(name for name in names if name in present or name.partition(".")[0] in present)

    facts = {fact: kept(getattr(fields, fact)) for fact in FieldMap.__dataclass_fields__ if fact != "failing"}
    return FieldMap(**facts, failing=fields.failing)


def lookup(item: Mapping[str, Any], names: Names) -> Any:
    """Return the value of the first field that the item has and that is not empty; None if it has none."""
    for name in names:
        value = item.get(name)
        if value is None and "." in name:
            value = _nested(item, name.split("."))
        if value is not None and value != "":
            return value
    return None


def _nested(item: Mapping[str, Any], path: list[str]) -> Any:
    value: Any = item
    for part in path:
        if not isinstance(value, dict):
            return None
        value = value.get(part)
    return value


def is_failed(value: object, failing: frozenset[str] = frozenset()) -> bool:
    """True if the value of a status, level or flag means failure."""
    if isinstance(value, bool):
        return value
    return str(value) in failing or str(value).rpartition(".")[2].strip().lower() in _FAILED


def time_of(value: object) -> datetime | None:
    """Return the time that a value stands for: ISO 8601, or a number of seconds, milli-, micro- or nanoseconds since 1970."""
    if isinstance(value, str) and not value.replace(".", "", 1).isdecimal():
        try:
            at = datetime.fromisoformat(value.strip()[:40])
        except ValueError:
            return None
        try:
            return at.astimezone(UTC) if at.tzinfo else at.replace(tzinfo=UTC)
        except OverflowError:
            return None
    number = number_of(value)
    if number is None:
        return None
    for _ in range(3):
        if number >= 1e11:  # seconds reach this in the year 5138
            number /= 1000
    try:
        return datetime.fromtimestamp(number, UTC)
    except (OverflowError, ValueError, OSError):
        return None


def number_of(value: object) -> float | None:
    """Return a finite number; None for anything else."""
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    try:
        number = float(value)
    except (ValueError, OverflowError):
        return None
    return number if abs(number) < 1e300 else None
