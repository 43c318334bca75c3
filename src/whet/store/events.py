"""The events that sources took in, and how far each file was read.

The file holds reports of other systems. Everything in it can be read again from there or has been reported on, so it is
pruned by age and by number. An event with the identity of a stored one is not stored twice.
"""

import contextlib
import hashlib
import json
import sqlite3
import weakref
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import islice
from pathlib import Path
from typing import Any

from whet import state_folder
from whet.domain.reported_event import Breakdown, EventKind, ReportedEvent
from whet.errors import StateUnusable

FILE_NAME = "events.sqlite"
KEPT = timedelta(days=7)
COUNTER = "counter"
"""The detail of a metric that is counted since the sender's start. It grows by itself, so that it cannot drift."""
_VERSION = 1
_MOST_SAMPLES = 2_000
_BUSY_SECONDS = 15.0
_AT_ONCE = 5_000
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)
_INSERT = "INSERT OR IGNORE INTO events VALUES (NULL, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
_TABLES = """
CREATE TABLE IF NOT EXISTS events (
  id INTEGER PRIMARY KEY, key BLOB NOT NULL UNIQUE, source TEXT NOT NULL, origin TEXT NOT NULL, kind TEXT NOT NULL,
  subject TEXT NOT NULL, at INTEGER NOT NULL, failed INTEGER NOT NULL, seconds REAL, value REAL,
  signature TEXT NOT NULL, breakdown TEXT NOT NULL, detail TEXT NOT NULL);
CREATE INDEX IF NOT EXISTS events_by_time ON events (source, at);
CREATE INDEX IF NOT EXISTS failures_by_signature ON events (signature, at) WHERE signature <> '';
CREATE TABLE IF NOT EXISTS cursors (
  source TEXT NOT NULL, path TEXT NOT NULL, stamp TEXT NOT NULL, digest TEXT NOT NULL, offset INTEGER NOT NULL,
  PRIMARY KEY (source, path)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS templates (founder TEXT PRIMARY KEY, template TEXT NOT NULL) WITHOUT ROWID;
"""
_COLUMNS = "kind, subject, at, hex(key), origin, failed, seconds, value, breakdown, signature, detail"


@dataclass(frozen=True)
class Cursor:
    """The part of a file that was read: its status and digest then, and the offset behind the last whole line."""

    stamp: str = ""
    digest: str = ""
    offset: int = 0


@dataclass(frozen=True)
class FailureGroup:
    """The failures with one signature within a window."""

    signature: str
    failures: int
    first_at: datetime
    last_at: datetime


@dataclass(frozen=True)
class StepTotals:
    """The events about one subject in one step of a window; `mean` is of their durations, or of their values."""

    subject: str
    kind: EventKind
    number: int
    events: int
    failures: int
    mean: float | None


class Events:
    """The events in one state folder."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._held: _Held | None = None

    def hold(self) -> None:
        """Keep one connection open from now on, for many small writes; the caller lets only one thread in at a time.

        Opening and closing the file for each of them costs more than writing.
        """
        self._held = self._held or _Held()

    @property
    def exist(self) -> bool:
        """True if anything was stored here."""
        return (self._folder / FILE_NAME).exists()

    def take(self, source: str, events: Iterable[ReportedEvent], origin: str = "") -> int:
        """Store the events that are new, some thousands in one transaction, and return their number. `origin` is their file."""
        pending, stored = iter(events), 0
        with self._connected() as connection:
            while rows := [_row(source, event, origin) for event in islice(pending, _AT_ONCE)]:
                with connection:
                    before = connection.total_changes
                    connection.executemany(_INSERT, rows)
                    stored += connection.total_changes - before
        return stored

    def replace(self, source: str, origin: str, events: Iterable[ReportedEvent]) -> None:
        """Store the events of a file in place of those that it had before."""
        with self._connected() as connection, connection:
            connection.execute("DELETE FROM events WHERE source = ? AND origin = ?", (source, origin))
            rows = (_row(source, event, origin) for event in events)
            connection.executemany(_INSERT, rows)

    def cursor(self, source: str, path: str) -> Cursor:
        """Return how far a file was read; a cursor at the beginning if it never was."""
        rows = self._rows("SELECT stamp, digest, offset FROM cursors WHERE source = ? AND path = ?", source, path)
        return Cursor(*rows[0]) if rows else Cursor()

    def move_cursor(self, source: str, path: str, cursor: Cursor) -> None:
        with self._connected() as connection, connection:
            values = (source, path, cursor.stamp, cursor.digest, cursor.offset)
            connection.execute("INSERT OR REPLACE INTO cursors VALUES (?, ?, ?, ?, ?)", values)

    def forget_files(self, source: str, present: Iterable[str]) -> None:
        """Delete the events and cursors of files that do not exist any more."""
        known = {path for (path,) in self._rows("SELECT path FROM cursors WHERE source = ?", source)}
        with self._connected() as connection, connection:
            for path in known.difference(present):
                connection.execute("DELETE FROM events WHERE source = ? AND origin = ?", (source, path))
                connection.execute("DELETE FROM cursors WHERE source = ? AND path = ?", (source, path))

    def since(self, source: str, since: datetime, kind: EventKind) -> Iterator[ReportedEvent]:
        """Yield the events of a source and kind, oldest first."""
        with self._connected() as connection:
            yield from map(
                _event,
                connection.execute(
                    f"SELECT {_COLUMNS} FROM events WHERE source = ? AND at >= ? AND kind = ? ORDER BY at, id",  # noqa: S608 - constants
                    (source, microseconds(since), kind.value),
                ),
            )

    def failure_groups(self, source: str, since: datetime, at_least: int) -> list[FailureGroup]:
        """Return the signatures that failed at least so often, the most frequent first."""
        rows = self._rows(
            "SELECT signature, count(*), min(at), max(at) FROM events WHERE signature <> '' AND at >= ? AND source = ? "
            "GROUP BY signature HAVING count(*) >= ? ORDER BY count(*) DESC, signature",
            microseconds(since), source, at_least,
        )  # fmt: skip
        return [
            FailureGroup(signature, failures, _time(first), _time(last)) for signature, failures, first, last in rows
        ]

    def risen(self, source: str, since: datetime, looked_at: datetime, at_least: int) -> list[tuple[str, int]]:
        """Return a subject and the number of failures for each signature that failed at least so often since `since`, and less
        often before `looked_at`. The most frequent is first."""
        rows = self._rows(
            "SELECT max(subject), count(*) FROM events WHERE signature <> '' AND at >= ? AND source = ? GROUP BY signature "
            "HAVING count(*) >= ? AND sum(at <= ?) < ? ORDER BY count(*) DESC, signature",
            microseconds(since), source, at_least, microseconds(looked_at), at_least,
        )  # fmt: skip
        return [(str(subject), int(failures)) for subject, failures in rows]

    def answers(self, source: str, since: datetime) -> Iterator[tuple[str, datetime, bool]]:
        """Yield subject, time and failure of each event of a source, oldest first."""
        statement = "SELECT subject, at, failed FROM events WHERE source = ? AND at >= ? ORDER BY at, id"
        for subject, at, failed in self._rows(statement, source, microseconds(since)):
            yield subject, _time(at), bool(failed)

    def failures(self, source: str, signature: str, since: datetime, limit: int) -> list[ReportedEvent]:
        """Return the newest failures with a signature, newest first."""
        where = "signature = ? AND source = ? AND at >= ? ORDER BY at DESC, id DESC LIMIT ?"
        statement = f"SELECT {_COLUMNS} FROM events WHERE {where}"  # noqa: S608 - constants
        return [_event(row) for row in self._rows(statement, signature, source, microseconds(since), limit)]

    def number(self, source: str, subject: str, since: datetime) -> int:
        """Return the number of events about a subject."""
        statement = "SELECT count(*) FROM events WHERE source = ? AND at >= ? AND subject = ?"
        [(number,)] = self._rows(statement, source, microseconds(since), subject)
        return int(number)

    def steps(self, source: str, since: datetime, step: timedelta) -> list[StepTotals]:
        """Return totals per subject, kind and step since `since`. Counters that only grow are left out."""
        rows = self._rows(
            "SELECT subject, kind, (at - ?) / ? AS number, count(*), sum(failed), avg(coalesce(value, seconds)) FROM events "
            "WHERE source = ? AND at >= ? AND detail <> ? GROUP BY subject, kind, number",
            microseconds(since), step // _MICROSECOND, source, microseconds(since), COUNTER,
        )  # fmt: skip
        return [StepTotals(subject, EventKind(kind), *numbers) for subject, kind, *numbers in rows]

    def samples(self, source: str, subject: str, kind: EventKind, since: datetime, until: datetime) -> list[float]:
        """Return durations or values, at most some thousands: of more, each n-th."""
        where = (
            "source = ? AND at >= ? AND at < ? AND subject = ? AND kind = ? AND coalesce(value, seconds) IS NOT NULL"
        )
        values = (source, microseconds(since), microseconds(until), subject, kind.value)
        [(number,)] = self._rows(f"SELECT count(*) FROM events WHERE {where}", *values)  # noqa: S608 - constants
        every = number // _MOST_SAMPLES + 1
        statement = f"SELECT coalesce(value, seconds) FROM events WHERE {where} AND id % ? = 0"  # noqa: S608 - constants
        return [value for (value,) in self._rows(statement, *values, every)]

    def templates(self) -> list[tuple[str, str]]:
        """Return the known message templates: how each began, and how it is now."""
        return [(founder, template) for founder, template in self._rows("SELECT founder, template FROM templates")]

    def keep_templates(self, templates: Iterable[tuple[str, str]]) -> None:
        with self._connected() as connection, connection:
            connection.executemany("INSERT OR REPLACE INTO templates VALUES (?, ?)", templates)

    def prune(self, source: str, now: datetime, most_events: int) -> int:
        """Delete events of a source that are older than a week, and the first stored ones of all sources beyond `most_events`.
        Return the number of the latter.

        Ids are given in the order of storing, so that their range bounds the number without counting it.
        """
        with self._connected() as connection, connection:
            old = (source, microseconds(now - KEPT))
            connection.execute("DELETE FROM events WHERE source = ? AND at < ?", old)
            [(newest,)] = connection.execute("SELECT coalesce(max(id), 0) FROM events")
            return connection.execute("DELETE FROM events WHERE id <= ?", (newest - most_events,)).rowcount

    def _rows(self, statement: str, *values: object) -> list[sqlite3.Row]:
        with self._connected() as connection:
            return list(connection.execute(statement, values))

    @contextlib.contextmanager
    def _connected(self) -> Iterator[sqlite3.Connection]:
        try:
            if self._held:
                yield self._held.connection(self._folder)
            else:
                with contextlib.closing(_open(self._folder)) as connection:
                    yield connection
        except (sqlite3.Error, OSError) as problem:
            if self._held:
                self._held.close()
            raise StateUnusable(
                f"{self._folder / FILE_NAME} cannot be used: {problem}",
                "move it away; whet makes a new one and reads the files again",
            ) from problem


class _Held:
    """A connection that stays open, also between threads, as long as the file is the same."""

    def __init__(self) -> None:
        self._file: tuple[int, int] = (0, 0)
        self._connection: sqlite3.Connection | None = None
        self._finalizer: weakref.finalize[..., _Held] | None = None

    def connection(self, folder: Path) -> sqlite3.Connection:
        if self._connection is None or self._file != _identity(folder):
            self.close()  # the file was removed, to start over
            self._connection = _open(folder, check_same_thread=False)
            self._finalizer = weakref.finalize(self, self._connection.close)
            self._file = _identity(folder)
        return self._connection

    def close(self) -> None:
        if self._finalizer:
            self._finalizer()
        self._connection = None


def _identity(folder: Path) -> tuple[int, int]:
    """Return device and inode of the file; zeros if there is none."""
    try:
        status = (folder / FILE_NAME).stat()
    except FileNotFoundError:
        return 0, 0
    return status.st_dev, status.st_ino


def _open(folder: Path, **options: Any) -> sqlite3.Connection:
    state_folder.make_folder(folder)
    connection = state_folder.connect(folder, FILE_NAME, timeout=_BUSY_SECONDS, **options)
    try:
        _prepare(connection)
    except BaseException:
        connection.close()
        raise
    return connection


def _prepare(connection: sqlite3.Connection) -> None:
    connection.execute("PRAGMA journal_mode=WAL")
    connection.execute("PRAGMA synchronous=NORMAL")  # after a power failure the files are read again
    [(version,)] = connection.execute("PRAGMA user_version")
    if version == _VERSION:
        return
    if version > _VERSION:
        raise StateUnusable(f"{FILE_NAME} was written by a newer whet (version {version})", "upgrade whet")
    connection.executescript(_TABLES + f"PRAGMA user_version={_VERSION};")


def microseconds(at: datetime) -> int:
    return (at - _EPOCH) // _MICROSECOND


def _time(at: int) -> datetime:
    return _EPOCH + timedelta(microseconds=at)


def _row(source: str, event: ReportedEvent, origin: str) -> tuple[object, ...]:
    key = hashlib.blake2b(f"{source}\0{event.identity}".encode(errors="replace"), digest_size=16).digest()
    return (
        key, source, origin, event.kind.value, event.subject, microseconds(event.at), int(event.failed),
        event.seconds, event.value, event.signature, _breakdown_text(event.breakdown), event.detail,
    )  # fmt: skip


def _breakdown_text(breakdown: Breakdown | None) -> str:
    if breakdown is None:
        return ""
    return json.dumps(
        [breakdown.exception, breakdown.message, breakdown.frames, breakdown.fingerprint, breakdown.inputs]
    )


def _event(row: sqlite3.Row) -> ReportedEvent:
    kind, subject, at, key, origin, failed, seconds, value, breakdown, signature, detail = row
    return ReportedEvent(
        kind=EventKind(kind),
        subject=subject,
        at=_time(at),
        identity=key,
        origin=origin,
        failed=bool(failed),
        seconds=seconds,
        value=value,
        breakdown=_breakdown(breakdown),
        signature=signature,
        detail=detail,
    )


def _breakdown(text: str) -> Breakdown | None:
    if not text:
        return None
    exception, message, frames, fingerprint, inputs = json.loads(text)
    return Breakdown(
        exception=exception,
        message=message,
        frames=tuple((file, function, line) for file, function, line in frames),
        fingerprint=fingerprint,
        inputs=inputs,
    )
