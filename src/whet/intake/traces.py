"""Lines of a trace file as events: whet's own schema, common tracing tools, and OTLP/JSON."""

from collections.abc import Iterator

from whet.domain.reported_event import ReportedEvent
from whet.intake.fields import COMMON, FieldMap
from whet.intake.otlp_events import is_otlp, otlp_events
from whet.intake.records import parse_line, record_event
from whet.intake.skips import Skips
from whet.intake.watched_files import WatchedFile
from whet.statistics.drain import Drain


class LineReader:
    """Reads lines with one field map; messages without a stack join the templates."""

    def __init__(self, templates: Drain, fields: FieldMap = COMMON) -> None:
        self._templates, self._fields = templates, fields

    def __call__(self, line: bytes, file: WatchedFile, skips: Skips) -> Iterator[ReportedEvent]:
        record = parse_line(line)
        if isinstance(record, str):
            skips.add(file.name, "line", record)
        elif self._fields is COMMON and is_otlp(record):
            yield from otlp_events(record, self._templates, skips, file.name)
        elif isinstance(event := record_event(record, self._fields, self._templates, line), ReportedEvent):
            yield event
        else:
            skips.add(file.name, "line", event)
