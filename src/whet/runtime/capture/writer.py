"""`Writer`: writes a batch to the executions database, in one transaction."""

from __future__ import annotations

import contextlib
import os
import sqlite3
from itertools import chain
from time import thread_time_ns, time

from whet import state_folder
from whet.domain.execution import DAY, DDL, FILE_NAME, STEPS, VERSION

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from whet.runtime.capture.batch import Batch, ToolKey, Totals

BUSY_SECONDS = 2.0
MOST_BYTES = 1 << 30
"""Applications only append; whet deletes old calls. If whet never runs, calls are captured up to this size of the file,
and totals after that."""

_ROWS_PER_STATEMENT = 256
"""SQLite releases the interpreter's lock once per statement, and in a busy application it takes a while to get it back.
So few large statements are faster than many small ones."""

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
    """The connection to the executions database of one state folder, opened when it is first needed."""

    def __init__(self, state: str) -> None:
        self._state = state
        self._path = os.path.join(state, FILE_NAME)
        self._connection: sqlite3.Connection | None = None
        self._inode = 0
        self._ids: dict[ToolKey, int] = {}
        self.insert_ns = 0
        """The time of this thread that inserting the rows of the last batch took."""
        self.without_room = 0
        """Calls that were not written because the file has reached `MOST_BYTES`."""

    def write(self, batch: Batch) -> None:
        """Write the whole batch, or raise sqlite3.Error, OSError or StateUnusable and write nothing of it."""
        connection = self._open()
        connection.execute("BEGIN IMMEDIATE")
        try:
            ids = {key: self._id(connection, key, batch.tools[key]) for key in batch.tools}
            if _has_room(connection):
                began = thread_time_ns()
                _insert_calls(connection, batch.rows, ids)
                self.insert_ns = thread_time_ns() - began
            else:
                self.without_room += len(batch.rows)
            _add_totals(connection, batch, ids)
            connection.execute("COMMIT")
        except BaseException:
            self._ids.clear()
            with contextlib.suppress(sqlite3.Error):  # on a full disk SQLite has rolled back already
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
                pass  # the folder was removed: the open file has no name any more
            self.close()
        state_folder.make_folder(self._state)
        connection = state_folder.connect(
            self._state, FILE_NAME, timeout=BUSY_SECONDS, isolation_level=None, check_same_thread=False
        )
        try:
            prepare(connection)
            self._inode = os.stat(self._path).st_ino
        except BaseException:
            connection.close()
            raise
        self._connection = connection
        return connection

    def _id(self, connection: sqlite3.Connection, key: ToolKey, description: tuple[Any, ...]) -> int:
        """Return the row id of a tool's version, inserting it first if needed."""
        if key not in self._ids:
            connection.execute(
                "INSERT OR IGNORE INTO tools (name, version, module, qualname, file, kind, characteristics, first_at) "
                "VALUES (?,?,?,?,?,?,?,?)",
                (*key, *description),
            )
            row = connection.execute("SELECT id FROM tools WHERE name = ? AND version = ?", key).fetchone()
            self._ids[key] = row[0]
        return self._ids[key]


def prepare(connection: sqlite3.Connection) -> None:
    """Set the journal mode and create the tables; raise DatabaseError if a newer whet wrote the file."""
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


def _has_room(connection: sqlite3.Connection) -> bool:
    used = connection.execute(
        "SELECT (page_count - freelist_count) * page_size FROM pragma_page_count, pragma_freelist_count, pragma_page_size"
    ).fetchone()[0]
    return bool(used < MOST_BYTES)


def _insert_calls(connection: sqlite3.Connection, rows: list[tuple[Any, ...]], ids: dict[ToolKey, int]) -> None:
    _insert_rows(connection, _INSERT, "", [(ids[row[0]], *row[1:]) for row in rows])


def _add_totals(connection: sqlite3.Connection, batch: Batch, ids: dict[ToolKey, int]) -> None:
    rollups: list[tuple[Any, ...]] = []
    latencies: list[tuple[Any, ...]] = []
    failures: list[tuple[Any, ...]] = []
    for (key, arm, period), totals in _by_step(batch):
        columns = (*period, ids[key], arm)
        rollups.append((*columns, *totals.columns()))
        latencies += [(*columns, bucket, calls) for bucket, calls in totals.buckets.items()]
        failures += [(*columns, signature, errors) for signature, errors in totals.signatures.items()]
    signatures = [(ids[key], signature, *row) for (key, signature), row in batch.signatures.items()]
    _insert_rows(connection, *_ROLLUPS, rollups)
    _insert_rows(connection, *_LATENCIES, latencies)
    _insert_rows(connection, *_FAILURES, failures)
    _insert_rows(connection, *_SIGNATURES, signatures)
    _insert_rows(connection, *_OVERHEAD, [(int(time()) // DAY * DAY, batch.own_ns, batch.spent_ns)])


def _by_step(batch: Batch) -> Iterator[tuple[tuple[ToolKey, str, tuple[int, int]], Totals]]:
    """Yield the totals of every minute three times: for the minute, the hour and the day that it belongs to."""
    for (key, arm, minute), totals in batch.totals.items():
        for step in STEPS:
            yield (key, arm, (step, minute - minute % step)), totals


def _insert_rows(connection: sqlite3.Connection, head: str, tail: str, rows: list[tuple[Any, ...]]) -> None:
    for at in range(0, len(rows), _ROWS_PER_STATEMENT):
        chunk = rows[at : at + _ROWS_PER_STATEMENT]
        placeholders = "(" + ",".join("?" * len(chunk[0])) + ")"
        values = ",".join([placeholders] * len(chunk))
        connection.execute(f"{head} VALUES {values} {tail}", list(chain.from_iterable(chunk)))
