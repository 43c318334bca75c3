"""Signals from JSON-lines files: agent traces and structured logs, and streams whose fields whet.toml names."""

from abc import ABC, abstractmethod
from collections.abc import Iterable

from whet.config import EventStream
from whet.domain.signal import Signal
from whet.intake.fields import COMMON, FieldMap
from whet.intake.look import Look
from whet.intake.traces import LineReader
from whet.kit import Kit
from whet.phases.observe.metrics import changed_metrics
from whet.phases.observe.recurring import recurring_failures


class _Streams(ABC):
    """A source that reads JSON lines and reports the failures that recur in them."""

    name = ""

    def __init__(self, kit: Kit) -> None:
        self._kit, self._policy = kit, kit.policy.sources
        self.skipped: tuple[str, ...] = ()

    def observe(self, commit: str) -> tuple[Signal, ...]:
        streams = list(self._streams())
        if not streams:
            return ()
        look = Look(self._kit.git.root, self._kit.state, self._policy, self.name)
        for patterns, fields in streams:
            look.at_lines(patterns, LineReader(look.templates, fields))
        paths = frozenset(entry.path for entry in self._kit.git.entries(self._kit.git.tree_of(commit)))
        recurring = recurring_failures(self.name, look.events, look.since, self._policy, paths, look.skips)
        changed = changed_metrics(self.name, look.events, look.since, look.at, self._policy, look.skips)
        observed = (*recurring, *changed)
        self.skipped = look.skips.sentences()
        return observed

    @abstractmethod
    def _streams(self) -> Iterable[tuple[tuple[str, ...], FieldMap]]:
        """Yield the patterns of the files, and the names of their fields."""


class Traces(_Streams):
    """The signal source `traces`: whet's own schema, OpenTelemetry's JSON and the exports of common tools."""

    name = "traces"

    def _streams(self) -> Iterable[tuple[tuple[str, ...], FieldMap]]:
        return [(self._policy.traces, COMMON)] if self._policy.traces else []


class EventStreams(_Streams):
    """The signal source `events`: any JSON lines, read by the field names in `sources.events`."""

    name = "events"

    def _streams(self) -> Iterable[tuple[tuple[str, ...], FieldMap]]:
        return [(stream.files, _field_map(stream)) for stream in self._policy.events]


def _field_map(stream: EventStream) -> FieldMap:
    names = {
        field: (path,) if (path := getattr(stream, field)) else ()
        for field in FieldMap.__dataclass_fields__
        if field != "failing"
    }
    return FieldMap(**names, failing=frozenset(stream.failing))
