"""A folder with JSON-lines files, and looks at it."""

import json
import traceback
from datetime import UTC, datetime
from pathlib import Path

from whet.config import SourcesPolicy
from whet.domain.reported_event import EventKind, ReportedEvent
from whet.intake.fields import COMMON, FieldMap
from whet.intake.look import Look
from whet.intake.traces import LineReader
from whet.store.events import Events

NOW = datetime.now(UTC).timestamp()


class Streams:
    """JSON-lines files in a folder; `look` takes in what is new and returns what was skipped."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.state = folder, folder / ".whet"

    def write(self, *records: object, name: str = "a.jsonl") -> None:
        lines = (record if isinstance(record, bytes) else json.dumps(record).encode() for record in records)
        with (self.folder / name).open("ab") as stream:
            stream.write(b"".join(line + b"\n" for line in lines))

    def look(self, fields: FieldMap = COMMON, policy: SourcesPolicy | None = None) -> tuple[str, ...]:
        look = Look(self.folder, self.state, policy or SourcesPolicy(), "traces")
        look.at_lines(["*.jsonl"], LineReader(look.templates, fields))
        return look.skips.sentences()

    @property
    def events(self) -> list[ReportedEvent]:
        kinds = (EventKind.SPAN, EventKind.LOG, EventKind.METRIC)
        store = Events(self.state)
        return [event for kind in kinds for event in store.since("traces", datetime.fromtimestamp(0, UTC), kind)]

    @property
    def event(self) -> ReportedEvent:
        [event] = self.events
        return event


def stack_of_a_failure() -> str:
    try:
        _divide(1, 0)
    except ZeroDivisionError:
        return traceback.format_exc()
    raise AssertionError


def _divide(a: int, b: int) -> float:
    return a / b
