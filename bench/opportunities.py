"""Measure how long it takes to read the totals that rank opportunities, and that this does not grow with history.

`python -m bench.opportunities 10000000` measures ten million executions; the default is a million. They are spread
over 200 tools and a week, with the totals that the capturer would have kept. The comparison computes the same totals
from the calls themselves.
"""

import sqlite3
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import closing
from datetime import timedelta
from pathlib import Path

from bench.table import Row
from whet.domain.clock import now
from whet.domain.execution import DAY, FILE_NAME, HOUR
from whet.runtime.capture.writer import prepare
from whet.store.executions import Executions

TOOLS, HOURS, BUCKETS, SIGNATURES = 200, 168, 8, 3
ROUNDS = 3

_CALLS = """
WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < :calls)
INSERT INTO executions (tool, arm, at, duration, failed, replayable, inputs, output, signature)
SELECT 1 + i % :tools, 'current', :began * 1000000 + i * (:hours * 3600 * 1000000 / :calls), 100000 + i % 99991,
       i % 50 = 0, 1, '[[' || i || ',"a name"],{}]', '{"total":' || i || '}', CASE WHEN i % 50 = 0 THEN 'sig' || i % 3 END
FROM n"""

_SUMS = """
WITH RECURSIVE h(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM h WHERE i + 1 < :stretches),
               t(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM t WHERE i < :tools),
               p(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM p WHERE i + 1 < :parts)
INSERT INTO """
_PLACE = "SELECT :step, :began + h.i * :step, t.i, 'current', "

_ROLLUPS = (
    _SUMS
    + "rollups "
    + _PLACE
    + ":each, :each / 50, :each, :each, :each * 150000, :each * 11.9, :each * 141.6 FROM h, t"
)
_LATENCIES = _SUMS + "latencies " + _PLACE + "66 + p.i, :each / :parts FROM h, t, p"
_FAILURES = _SUMS + "failures " + _PLACE + "'sig' || p.i, :each / 150 FROM h, t, p"
_FROM_CALLS = "SELECT tool, arm, count(*), sum(failed), sum(duration) FROM executions GROUP BY tool, arm"


def measure(calls: int = 1_000_000) -> list[Row]:
    with tempfile.TemporaryDirectory() as folder:
        return _measure(Path(folder), calls)


def _measure(folder: Path, calls: int) -> list[Row]:
    began = (int(now().timestamp()) // DAY - HOURS // 24 + 1) * DAY
    with closing(sqlite3.connect(folder / FILE_NAME, isolation_level=None)) as connection:
        prepare(connection)
        _declare(connection)
        connection.execute("BEGIN")
        connection.execute(_CALLS, {"calls": calls, "tools": TOOLS, "began": began, "hours": HOURS})
        _add_sums(connection, began, calls)
        connection.execute("COMMIT")
        week = _rank(folder, calls)
        straight = _timed(lambda: connection.execute(_FROM_CALLS).fetchall(), rounds=1)
        connection.execute("BEGIN")
        for earlier in range(1, 10):
            _add_sums(connection, began - earlier * HOURS * HOUR, calls)
        connection.execute("COMMIT")
    longer = _rank(folder, calls)
    return [
        Row(
            "ranking",
            f"a week of {calls:,} executions",
            f"{week:.2f} s",
            f"from the calls {straight:.2f} s",
            week / straight,
        ),
        Row(
            "ranking",
            "the same with ten times the history",
            f"{longer:.2f} s",
            f"a week alone {week:.2f} s",
            longer / week,
        ),
    ]


def _declare(connection: sqlite3.Connection) -> None:
    connection.executemany(
        "INSERT INTO tools (name, version, module, qualname, kind, characteristics, first_at) VALUES (?,?,?,?,?,?,?)",
        [(f"bench.tool{number}", "0" * 16, "bench", f"tool{number}", "plain", "{}", 0) for number in range(TOOLS)],
    )


def _add_sums(connection: sqlite3.Connection, began: int, calls: int) -> None:
    for step in (HOUR, DAY):
        stretches = HOURS * HOUR // step
        values = {
            "stretches": stretches,
            "tools": TOOLS,
            "began": began,
            "step": step,
            "each": calls // TOOLS // stretches,
        }
        for statement, parts in ((_ROLLUPS, 1), (_LATENCIES, BUCKETS), (_FAILURES, SIGNATURES)):
            connection.execute(statement, values | {"parts": parts})


def _rank(folder: Path, calls: int) -> float:
    since = now() - timedelta(hours=HOURS - 24)
    rows = Executions(folder).opportunity_rows(since=since)
    assert len(rows) == TOOLS
    assert sum(row.calls for row in rows) >= 0.95 * (calls // TOOLS // HOURS) * TOOLS * HOURS
    return _timed(lambda: Executions(folder).opportunity_rows(since=since))


def _timed(work: Callable[[], object], rounds: int = ROUNDS) -> float:
    best = float("inf")
    for _ in range(rounds):
        began = time.perf_counter()
        work()
        best = min(best, time.perf_counter() - began)
    return best


if __name__ == "__main__":
    from bench.table import show

    print(show(measure(int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000)))
