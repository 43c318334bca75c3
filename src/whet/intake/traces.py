"""Lines of a trace file as events: whet's own schema, common tracing tools, and OTLP/JSON."""

from collections.abc import Iterator

from whet.domain.reported_event import ReportedEvent
from whet.intake.fields import COMMON, FieldMap
from whet.intake.json_lines import event_of_item, parse_line
from whet.intake.otlp_events import is_otlp, otlp_events
from whet.intake.skips import Skips
from whet.intake.watched_files import WatchedFile
from whet.statistics.drain import Drain


class LineReader:
    """Reads lines with one field map; messages without a stack join the templates."""

    def __init__(self, templates: Drain, fields: FieldMap = COMMON) -> None:
        self._templates, self._fields = templates, fields

    def __call__(self, line: bytes, file: WatchedFile, skips: Skips) -> Iterator[ReportedEvent]:
        item = parse_line(line)
        if isinstance(item, str):
            skips.add(file.name, "line", item)
        elif self._fields is COMMON and is_otlp(item):
            yield from otlp_events(item, self._templates, skips, file.name)
        elif isinstance(event := event_of_item(item, self._fields, self._templates, line), ReportedEvent):
            yield event
        else:
            skips.add(file.name, "line", event)
