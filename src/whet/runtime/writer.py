"""The one place that writes executions: rows and sums of a batch in one transaction, or none of them."""

from __future__ import annotations

import contextlib
import os
import sqlite3
from time import thread_time_ns

from whet.domain.execution import DDL, FILE_NAME, STEPS, VERSION

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from whet.runtime.pending import Pending, Sums, ToolKey

BUSY_SECONDS = 2.0
MOST_BYTES = 1 << 30
"""The application only appends, and whet drops what is old. If nobody does, so much is kept and then only sums."""

_AT_ONCE = (256, 16, 1)
"""Rows to a statement. SQLite gives the interpreter's lock back once per statement, so few large ones wait less for a busy
host than many small ones."""

_ROW = "(?,?,?,?,?,?,?,?,?,?)"
_INSERT = (
    "INSERT INTO executions (tool, arm, at, duration, failed, replayable, inputs, output, signature, message) VALUES "
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
    pages, free, size = (
        connection.execute(f"PRAGMA {name}").fetchone()[0] for name in ("page_count", "freelist_count", "page_size")
    )
    return bool((pages - free) * size < MOST_BYTES)


def _insert(connection: sqlite3.Connection, rows: list[tuple[Any, ...]], ids: dict[ToolKey, int]) -> None:
    at = 0
    for size in _AT_ONCE:
        while len(rows) - at >= size:
            values: list[Any] = []
            for row in rows[at : at + size]:
                values.append(ids[row[0]])
                values += row[1:]
            connection.execute(_INSERT + ",".join([_ROW] * size), values)
            at += size


def _add_sums(connection: sqlite3.Connection, pending: Pending, ids: dict[ToolKey, int]) -> None:
    for (key, arm, minute), sums in pending.sums.items():
        for step in STEPS:
            _add(connection, (step, minute - minute % step, ids[key], arm), sums)
    connection.executemany(
        "INSERT INTO signatures (tool, signature, error, message, frames, errors, first_at, last_at) "
        "VALUES (?,?,?,?,?,?,?,?) "
        "ON CONFLICT DO UPDATE SET errors = errors + excluded.errors, last_at = max(last_at, excluded.last_at)",
        [(ids[key], signature, *described) for (key, signature), described in pending.signatures.items()],
    )


def _add(connection: sqlite3.Connection, place: tuple[int, int, int, str], sums: Sums) -> None:
    connection.execute(
        "INSERT INTO rollups (step, began, tool, arm, calls, errors, kept, timed, duration, log_sum, log_squares) "
        "VALUES (?,?,?,?,?,?,?,?,?,?,?) ON CONFLICT DO UPDATE SET calls = calls + excluded.calls, "
        "errors = errors + excluded.errors, kept = kept + excluded.kept, timed = timed + excluded.timed, "
        "duration = duration + excluded.duration, log_sum = log_sum + excluded.log_sum, "
        "log_squares = log_squares + excluded.log_squares",
        (*place, sums.calls, sums.errors, sums.kept, sums.timed, sums.duration, sums.log_sum, sums.log_squares),
    )
    connection.executemany(
        "INSERT INTO latencies (step, began, tool, arm, bucket, calls) VALUES (?,?,?,?,?,?) "
        "ON CONFLICT DO UPDATE SET calls = calls + excluded.calls",
        [(*place, bucket, calls) for bucket, calls in sums.buckets.items()],
    )
    connection.executemany(
        "INSERT INTO failures (step, began, tool, arm, signature, errors) VALUES (?,?,?,?,?,?) "
        "ON CONFLICT DO UPDATE SET errors = errors + excluded.errors",
        [(*place, signature, errors) for signature, errors in sums.signatures.items()],
    )
