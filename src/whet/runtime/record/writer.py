"""The one place that writes executions: rows and sums of a batch in one transaction, or none of them."""

from __future__ import annotations

import contextlib
import os
import sqlite3
from itertools import chain
from time import thread_time_ns, time

from whet.domain.execution import DAY, DDL, FILE_NAME, STEPS, VERSION

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from whet.runtime.record.batch import Pending, Sums, ToolKey

BUSY_SECONDS = 2.0
MOST_BYTES = 1 << 30
"""The application only appends, and whet drops what is old. If nobody does, so much is kept and then only sums."""

_AT_ONCE = 256
"""Rows to a statement. SQLite gives the interpreter's lock back once per statement, and getting it again takes its time
where the host is busy: few large ones disturb less than many small ones."""

_INSERT = "INSERT INTO executions (tool, arm, at, duration, failed, replayable, inputs, output, signature, message)"
_ROLLUPS = (
    "INSERT INTO rollups (step, began, tool, arm, calls, errors, kept, timed, duration, log_sum, log_squares)",
    "ON CONFLICT DO UPDATE SET calls = calls + excluded.calls, errors = errors + excluded.errors, "
    "kept = kept + excluded.kept, timed = timed + excluded.timed, duration = duration + excluded.duration, "
    "log_sum = log_sum + excluded.log_sum, log_squares = log_squares + excluded.log_squares",
)
_LATENCIES = (
    "INSERT INTO latencies (step, began, tool, arm, bucket, calls)",
    "ON CONFLICT DO UPDATE SET calls = calls + excluded.calls",
)
_FAILURES = (
    "INSERT INTO failures (step, began, tool, arm, signature, errors)",
    "ON CONFLICT DO UPDATE SET errors = errors + excluded.errors",
)
_SIGNATURES = (
    "INSERT INTO signatures (tool, signature, error, message, frames, errors, first_at, last_at)",
    "ON CONFLICT DO UPDATE SET errors = errors + excluded.errors, last_at = max(last_at, excluded.last_at)",
)
_OVERHEAD = (
    "INSERT INTO overhead (day, own, spent)",
    "ON CONFLICT DO UPDATE SET own = own + excluded.own, spent = spent + excluded.spent",
)


class Writer:
    def __init__(self, state: str) -> None:
        self._state = state
        self._path = os.path.join(state, FILE_NAME)
        self._connection: sqlite3.Connection | None = None
        self._inode = 0
        self._ids: dict[ToolKey, int] = {}
        self.insert_ns = 0
        """What the rows of the last write took, of this thread's time."""
        self.without_room = 0
        """Calls that were not kept because the file has its size."""

    def write(self, pending: Pending) -> None:
        """Raises sqlite3.Error or OSError; then nothing of it is written."""
        connection = self._open()
        connection.execute("BEGIN IMMEDIATE")
        try:
            ids = {key: self._id(connection, key, pending.tools[key]) for key in pending.tools}
            if _has_room(connection):
                began = thread_time_ns()
                _insert(connection, pending.rows, ids)
                self.insert_ns = thread_time_ns() - began
            else:
                self.without_room += len(pending.rows)
            _add_sums(connection, pending, ids)
            connection.execute("COMMIT")
        except BaseException:
            self._ids.clear()
            with contextlib.suppress(sqlite3.Error):  # a full disk has rolled it back already
                connection.execute("ROLLBACK")
            raise

    def close(self) -> None:
        self._ids.clear()
        if self._connection is not None:
            with contextlib.suppress(sqlite3.Error):
                self._connection.close()
        self._connection = None

    def _open(self) -> sqlite3.Connection:
        if self._connection is not None:
            try:
                if os.stat(self._path).st_ino == self._inode:
                    return self._connection
            except FileNotFoundError:
                pass  # the folder was cleaned away under us: what we hold has no name any more
            self.close()
        make_folder(self._state)
        connection = sqlite3.connect(self._path, timeout=BUSY_SECONDS, isolation_level=None, check_same_thread=False)
        try:
            prepare(connection)
            self._inode = os.stat(self._path).st_ino
        except BaseException:
            connection.close()
            raise
        self._connection = connection
        return connection

    def _id(self, connection: sqlite3.Connection, key: ToolKey, described: tuple[Any, ...]) -> int:
        if key not in self._ids:
            connection.execute(
                "INSERT OR IGNORE INTO tools (name, version, module, qualname, file, kind, characteristics, first_at) "
                "VALUES (?,?,?,?,?,?,?,?)",
                (*key, *described),
            )
            row = connection.execute("SELECT id FROM tools WHERE name = ? AND version = ?", key).fetchone()
            self._ids[key] = row[0]
        return self._ids[key]


def prepare(connection: sqlite3.Connection) -> None:
    connection.execute("PRAGMA journal_mode=WAL")
    connection.execute("PRAGMA synchronous=NORMAL")
    version = connection.execute("PRAGMA user_version").fetchone()[0]
    if version > VERSION:
        raise sqlite3.DatabaseError(f"written by a newer whet (version {version}, this one knows {VERSION})")
    if version < VERSION:
        connection.execute("BEGIN IMMEDIATE")
        for statement in DDL:
            connection.execute(statement)
        connection.execute(f"PRAGMA user_version={VERSION}")
        connection.execute("COMMIT")


def make_folder(state: str) -> None:
    """The state folder, out of git's sight as whet itself makes it."""
    if not os.path.isdir(state):
        os.mkdir(state)
    ignore = os.path.join(state, ".gitignore")
    if not os.path.exists(ignore):
        with open(ignore, "w", encoding="ascii") as stream:
            stream.write("*\n")


def _has_room(connection: sqlite3.Connection) -> bool:
    used = connection.execute(
        "SELECT (page_count - freelist_count) * page_size FROM pragma_page_count, pragma_freelist_count, pragma_page_size"
    ).fetchone()[0]
    return bool(used < MOST_BYTES)


def _insert(connection: sqlite3.Connection, rows: list[tuple[Any, ...]], ids: dict[ToolKey, int]) -> None:
    _at_once(connection, _INSERT, "", [(ids[row[0]], *row[1:]) for row in rows])


def _add_sums(connection: sqlite3.Connection, pending: Pending, ids: dict[ToolKey, int]) -> None:
    rollups: list[tuple[Any, ...]] = []
    latencies: list[tuple[Any, ...]] = []
    failures: list[tuple[Any, ...]] = []
    for (key, arm, minute), sums in _by_step(pending):
        place = (*minute, ids[key], arm)
        rollups.append((*place, *sums.totals()))
        latencies += [(*place, bucket, calls) for bucket, calls in sums.buckets.items()]
        failures += [(*place, signature, errors) for signature, errors in sums.signatures.items()]
    signatures = [(ids[key], signature, *described) for (key, signature), described in pending.signatures.items()]
    _at_once(connection, *_ROLLUPS, rollups)
    _at_once(connection, *_LATENCIES, latencies)
    _at_once(connection, *_FAILURES, failures)
    _at_once(connection, *_SIGNATURES, signatures)
    _at_once(connection, *_OVERHEAD, [(int(time()) // DAY * DAY, pending.own_ns, pending.spent_ns)])


def _by_step(pending: Pending) -> Iterator[tuple[tuple[ToolKey, str, tuple[int, int]], Sums]]:
    for (key, arm, minute), sums in pending.sums.items():
        for step in STEPS:
            yield (key, arm, (step, minute - minute % step)), sums


def _at_once(connection: sqlite3.Connection, head: str, tail: str, rows: list[tuple[Any, ...]]) -> None:
    for at in range(0, len(rows), _AT_ONCE):
        some = rows[at : at + _AT_ONCE]
        places = "(" + ",".join("?" * len(some[0])) + ")"
        connection.execute(f"{head} VALUES {','.join([places] * len(some))} {tail}", list(chain.from_iterable(some)))
