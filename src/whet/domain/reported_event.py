"""Events: what other systems reported about the project, as whet stores it."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

Frame = tuple[str, str, int]
"""A file, a function and a line of a stack trace."""


class EventKind(StrEnum):
    """The kinds of events."""

    TEST = "test"  # one outcome of one test
    RESULT = "result"  # one result of a static analyser
    SPAN = "span"  # one operation, with its duration
    LOG = "log"  # one log record
    METRIC = "metric"  # one value of a metric


@dataclass(frozen=True, slots=True, kw_only=True)
class Breakdown:
    """The way in which an operation failed. `frames` are ordered from the outermost call to the innermost one.

    `fingerprint` is a name for the failure that the sender chose. `inputs` are the arguments of the failed call as JSON, if
    the sender reports them.
    """

    exception: str = ""
    message: str = ""
    frames: tuple[Frame, ...] = ()
    fingerprint: str = ""
    inputs: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportedEvent:
    """One report. `identity` is equal for two deliveries of the same report, so that the second one is not counted.

    `origin` is the file that a stored event was read from, empty for a request. `subject` is the operation, test, rule or metric.
    `detail` holds further facts of the kind as JSON.
    """

    kind: EventKind
    subject: str
    at: datetime
    identity: str
    origin: str = ""
    failed: bool = False
    seconds: float | None = None
    value: float | None = None
    breakdown: Breakdown | None = None
    signature: str = ""
    detail: str = ""
