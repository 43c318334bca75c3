"""Read and prune the tool calls that a running application captured.

The file belongs to the application. whet reads it and deletes old rows, and trusts nothing in it but its numbers. A
missing file means that nothing was captured.
"""

import contextlib
import os
import sqlite3
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from whet import state_folder
from whet.config import RetentionPolicy
from whet.domain.captured import CapturedCall, CapturedTool, FailureSignature, Overhead, Pruned, Rollup
from whet.domain.clock import now
from whet.domain.execution import DAY, FILE_NAME, HOUR, MINUTE, STEPS, VERSION
from whet.errors import StateUnusable
from whet.store.execution_rows import call_from, rollup_from, signature_from, to_microseconds, tool_from

BUSY_SECONDS = 5.0
_AT_ONCE = 10_000
"""The number of rows that one transaction deletes, so that the application never waits long for the write lock."""

_SUMS = "sum(r.calls), sum(r.errors), sum(r.kept), sum(r.timed), sum(r.duration), sum(r.log_sum), sum(r.log_squares)"

Read = Callable[[str, tuple[Any, ...]], list[sqlite3.Row]]


class Executions:
    """The captured calls in one state folder."""

    def __init__(self, folder: Path) -> None:
        self._folder, self._path = folder, folder / FILE_NAME

    def tools(self) -> tuple[CapturedTool, ...]:
        """Return every version of every tool, sorted by name and then oldest version first."""
        rows = self._read("SELECT * FROM tools ORDER BY name, first_at, id")
        return tuple(tool_from(row) for row in rows)

    def calls(
        self, tool: str, *, version: str | None = None, failed: bool | None = None, limit: int = 100
    ) -> tuple[CapturedCall, ...]:
        """Return the newest kept calls of a tool, newest first."""
        kinds = (0, 1) if failed is None else (int(failed),)
        rows: list[sqlite3.Row] = []
        for (number,) in self._ids(tool, version):
            for kind in kinds:
                rows += self._read(
                    "SELECT e.*, t.name, t.version FROM executions e JOIN tools t ON t.id = e.tool "
                    "WHERE e.tool = ? AND e.failed = ? ORDER BY e.id DESC LIMIT ?",
                    (number, kind, limit),
                )
        rows.sort(key=lambda row: (row["at"], row["id"]), reverse=True)
        return tuple(call_from(row) for row in rows[:limit])

    def arrived(
        self, tool: CapturedTool, arm: str, *, since: datetime, after: int, limit: int
    ) -> tuple[CapturedCall, ...]:
        """Return kept calls of one arm of a version with a number above `after`, in the order of arrival."""
        rows: list[sqlite3.Row] = []
        for (number,) in self._ids(tool.name, tool.version):
            for failed in (0, 1):
                rows += self._read(
                    "SELECT e.*, t.name, t.version FROM executions e JOIN tools t ON t.id = e.tool WHERE e.tool = ? "
                    "AND e.failed = ? AND e.id > ? AND e.arm = ? AND e.at >= ? ORDER BY e.id LIMIT ?",
                    (number, failed, after, arm, to_microseconds(since), limit),
                )
        rows.sort(key=lambda row: int(row["id"]))
        return tuple(call_from(row) for row in rows[:limit])

    def signatures(self, tool: str, *, version: str | None = None) -> tuple[FailureSignature, ...]:
        """Return the failure signatures of a tool, the most frequent first."""
        rows = self._read(
            "SELECT s.*, t.name, t.version FROM signatures s JOIN tools t ON t.id = s.tool "
            "WHERE t.name = ? AND t.version = coalesce(?, t.version) ORDER BY s.errors DESC, s.signature",
            (tool, version),
        )
        return tuple(signature_from(row) for row in rows)

    def rollups(
        self, *tools: str, since: datetime | None = None, length: timedelta = timedelta(hours=1)
    ) -> tuple[Rollup, ...]:
        """Return the rollups of some tools, or of all, oldest first.

        The step is a minute, an hour or a day: the longest that fits into `length`. Minutes exist for the recent past
        only. All rows are read in one transaction; rollups of two calls of this method must not be compared, because
        more calls may have been captured in between.
        """
        step = max(step for step in STEPS if step <= max(length.total_seconds(), MINUTE))
        return self._totals(step, tools, since, per_step=True)

    def opportunity_rows(self, *, since: datetime | None = None) -> tuple[Rollup, ...]:
        """Return one row per tool, version and arm with the totals since `since`; opportunities are ranked by them.

        Reads rollups only, so the time does not grow with the number of calls: whole days if the period is longer than
        two days, else whole hours. The first day or hour is included completely.
        """
        step = DAY if since is None or now() - since > timedelta(days=2) else HOUR
        return self._totals(step, (), since, per_step=False)

    def overhead(self, *, since: datetime) -> Overhead:
        """Return the cost of capturing since the beginning of the day of `since`."""
        start = int(since.timestamp()) // DAY * DAY
        rows = self._read("SELECT total(own), total(spent) FROM overhead WHERE day >= ?", (start,))
        own, spent = rows[0] if rows else (0.0, 0.0)
        return Overhead(own_seconds=own / 1e9, spent_seconds=spent / 1e9)

    def prune(self, retention: RetentionPolicy) -> Pruned:
        """Delete calls and minute rollups that are older than `retention` allows, in small transactions.

        If more than `most_calls` calls remain, the oldest successes are deleted, then the oldest failures. Rollups of
        hours and days are never deleted.
        """
        if not self.tools():
            return Pruned(successes=0, failures=0, minutes=0)
        successes = self._drop_calls(failed=False, before=now() - timedelta(days=retention.successes_days))
        failures = self._drop_calls(failed=True, before=now() - timedelta(days=retention.failures_days))
        excess = self._read("SELECT count(*) FROM executions")[0][0] - retention.most_calls
        if excess > 0:
            dropped = self._drop_calls(failed=False, most=excess)
            successes += dropped
            failures += self._drop_calls(failed=True, most=excess - dropped)
        cutoff = int((now() - timedelta(days=retention.minutes_days)).timestamp())
        minutes = sum(
            self._drop(f"DELETE FROM {table} WHERE step = {MINUTE} AND began < ?", (cutoff,))  # noqa: S608 (our names)
            for table in ("latencies", "failures", "rollups")
        )
        return Pruned(successes=successes, failures=failures, minutes=minutes)

    def _drop_calls(self, *, failed: bool, before: datetime | None = None, most: int | None = None) -> int:
        cutoff = to_microseconds(before) if before else to_microseconds(datetime.max.replace(tzinfo=UTC))
        total = 0
        while most is None or total < most:
            limit = _AT_ONCE if most is None else min(_AT_ONCE, most - total)
            dropped = self._drop(
                "DELETE FROM executions WHERE id IN "
                "(SELECT id FROM executions WHERE failed = ? AND at < ? ORDER BY id LIMIT ?)",
                (int(failed), cutoff, limit),
            )
            total += dropped
            if dropped < limit:
                break
        return total

    def _totals(
        self, step: int, tools: tuple[str, ...], since: datetime | None, *, per_step: bool
    ) -> tuple[Rollup, ...]:
        """Return rollups of one step length: one per step, or one for the whole period."""
        began = "r.began" if per_step else "min(r.began)"
        group = "r.began, r.tool, r.arm" if per_step else "r.tool, r.arm"
        start = 0 if since is None else int(since.timestamp()) // step * step
        where, values = "r.step = ? AND r.began >= ?", (step, start, *tools)
        if tools:
            where += f" AND r.tool IN (SELECT id FROM tools WHERE name IN ({','.join('?' * len(tools))}))"  # noqa: S608 (places)
        with self._snapshot() as read:
            rows = read(
                f"SELECT r.tool AS number, t.name, t.version, r.arm, {began} AS began, max(r.began) AS last, {_SUMS} "  # noqa: S608
                f"FROM rollups r JOIN tools t ON t.id = r.tool WHERE {where} GROUP BY {group} ORDER BY {began}, t.name, t.id",
                values,
            )
            latencies = _parts(read, "latencies", "bucket", "calls", where, values, group)
            failures = _parts(read, "failures", "signature", "errors", where, values, group)
        rollups = []
        for row in rows:
            key = (row["began"] if per_step else 0, row["number"], row["arm"])
            rollups.append(rollup_from(row, step, latencies.get(key, {}), failures.get(key, {})))
        return tuple(rollups)

    def _ids(self, tool: str, version: str | None) -> list[sqlite3.Row]:
        return self._read("SELECT id FROM tools WHERE name = ? AND version = coalesce(?, version)", (tool, version))

    def _read(self, query: str, values: tuple[Any, ...] = ()) -> list[sqlite3.Row]:
        with self._snapshot() as read:
            return read(query, values)

    @contextlib.contextmanager
    def _snapshot(self) -> Iterator[Read]:
        """Yield a function that runs queries in one read transaction, unaffected by concurrent writes."""
        if not os.path.lexists(self._path):
            yield lambda _query, _values: []
            return
        with self._connection() as connection:
            connection.execute("PRAGMA query_only=ON")
            connection.execute("BEGIN")
            empty = _is_empty(connection)
            yield lambda query, values: [] if empty else connection.execute(query, values).fetchall()

    def _drop(self, statement: str, values: tuple[Any, ...]) -> int:
        with self._connection() as connection:
            return connection.execute(statement, values).rowcount

    @contextlib.contextmanager
    def _connection(self) -> Iterator[sqlite3.Connection]:
        """Open the file. Raise StateUnusable if it is damaged, locked or of another version."""
        try:
            with contextlib.closing(
                state_folder.connect(self._folder, FILE_NAME, timeout=BUSY_SECONDS, isolation_level=None)
            ) as connection:
                connection.row_factory = sqlite3.Row
                # The tables first: they and the version appear in one commit, which may happen between the two reads.
                empty = _is_empty(connection)
                version = connection.execute("PRAGMA user_version").fetchone()[0]
                if version != VERSION and not empty:
                    raise StateUnusable(
                        f"{self._path.name} has version {version}, this whet knows {VERSION}",
                        "use the same whet in the application and here",
                    )
                yield connection
        except sqlite3.Error as problem:
            raise StateUnusable(f"{self._path.name} cannot be used: {problem}", _remedy(str(problem))) from problem


def _parts(
    read: Read, table: str, name: str, value: str, where: str, values: tuple[Any, ...], group: str
) -> dict[tuple[int, int, str], dict[Any, int]]:
    """Return the totals of `value` per `name`, for each (began, tool, arm) of a detail table; `began` is 0 if not grouped
    by it."""
    began = "r.began" if group.startswith("r.began") else "0"
    rows = read(
        f"SELECT {began}, r.tool, r.arm, r.{name}, sum(r.{value}) FROM {table} r WHERE {where} "  # noqa: S608 (our names)
        f"GROUP BY {group}, r.{name}",
        values,
    )
    parts: dict[tuple[int, int, str], dict[Any, int]] = {}
    for at, number, arm, part, total in rows:
        parts.setdefault((at, number, arm), {})[part] = total
    return parts


def _is_empty(connection: sqlite3.Connection) -> bool:
    """True if the application has created the file but not yet its tables."""
    return not connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]


def _remedy(cause: str) -> str:
    if "malformed" in cause or "not a database" in cause:
        return (
            "it is damaged: move it away; the application starts a new one, and only the calls captured so far are lost"
        )
    if "locked" in cause:
        return "another program has locked it; try again"
    return "make .whet/ readable and writable for you"
