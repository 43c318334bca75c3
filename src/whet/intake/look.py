"""One look of a source at its files: new content becomes stored events."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

from whet.config import SourcesPolicy
from whet.domain.clock import now
from whet.domain.reported_event import ReportedEvent
from whet.files import MB
from whet.intake.skips import Skips
from whet.intake.watched_files import NewLines, WatchedFile, new_content, watched_files
from whet.statistics.drain import Drain
from whet.store.events import KEPT, Events

_SKEW = timedelta(minutes=5)

ReadFile = Callable[[bytes, WatchedFile, Skips], Iterable[ReportedEvent]]
ReadLine = Callable[[bytes, WatchedFile, Skips], Iterable[ReportedEvent]]


class Look:
    """A look of one source. `skips` counts what was left out."""

    def __init__(self, root: Path, state: Path, policy: SourcesPolicy, source: str) -> None:
        self._root, self._policy, self._source = root, policy, source
        self.events, self.skips, self.at = Events(state), Skips(), now()
        self.templates = Drain()
        self.templates.restore(self.events.templates())

    @property
    def since(self) -> datetime:
        """The beginning of the window that signals come from."""
        return self.at - timedelta(hours=self._policy.window_hours)

    def at_files(self, patterns: Iterable[str], read: ReadFile, *, state: bool = False) -> None:
        """Take in files that are new or changed. `state`: a file holds the present state, so its old events go, also if
        the file is removed; else it holds the newest part of a history."""
        files = self._files(patterns)
        for file in files:
            if (news := new_content(file, self.events.cursor(self._source, file.name), self.skips)) is None:
                continue
            content, cursor = news
            if content:
                events = placed(read(content, file, self.skips), self.at, self.skips, file.name)
                if state:
                    self.events.replace(self._source, file.name, events)
                else:
                    self.events.take(self._source, events, file.name)
            self.events.move_cursor(self._source, file.name, cursor)
        if state:
            self.events.forget_files(self._source, [file.name for file in files])
        self._prune()

    def at_lines(self, patterns: Iterable[str], read: ReadLine) -> None:
        """Take in the lines that files got since the last look."""
        for file in self._files(patterns):
            lines = NewLines(file, self.events.cursor(self._source, file.name), self._policy.look_mb * MB, self.skips)
            events = (event for line in lines for event in read(line, file, self.skips))
            self.events.take(self._source, placed(events, self.at, self.skips, file.name), file.name)
            self.events.move_cursor(self._source, file.name, lines.cursor)
        self.events.keep_templates(self.templates.pairs())
        self._prune()

    def _files(self, patterns: Iterable[str]) -> list[WatchedFile]:
        return watched_files(self._root, patterns, self.skips)

    def _prune(self) -> None:
        if dropped := self.events.prune(self._source, self.at, self._policy.most_events):
            self.skips.add(
                "", "event", "the store is full (sources.most_events), the first stored ones are gone", dropped
            )


def placed(events: Iterable[ReportedEvent], now: datetime, skips: Skips, place: str = "") -> Iterator[ReportedEvent]:
    """Yield the events. Drop old ones; move one from the future to the present."""
    earliest, latest = now - KEPT, now + _SKEW
    for event in events:
        if event.at < earliest:
            skips.add(place, "event", f"older than {KEPT.days} days")
        elif event.at > latest:
            skips.add(place, "time", "in the future (the sender's clock is wrong), so the time of the look counts")
            yield replace(event, at=now)
        else:
            yield event


def modified_at(file: WatchedFile) -> datetime:
    return datetime.fromtimestamp(file.modified_seconds, UTC)
