"""What is on record of the calls of a running application's tools: the tables, shared by the application that appends
to them (`whet.runtime`) and by whet that reads them (`whet.store.executions`). Neither imports the other.

`executions` holds the calls that were kept. Everything that counts is in the rollups, which every call is in, kept or
not: by minute for the recent past, by hour and by day for ever. Times of day are microseconds since 1970, durations nanoseconds.
"""

from __future__ import annotations

FILE_NAME = "executions.db"
VERSION = 2

MOST_SHARE = 0.05
"""Of the tools' own time, so much at most may go to recording them."""

MINUTE = 60
HOUR = 3600
DAY = 86_400
STEPS = (MINUTE, HOUR, DAY)

DDL = (
    """CREATE TABLE IF NOT EXISTS tools (
        id INTEGER PRIMARY KEY,
        name TEXT NOT NULL,
        version TEXT NOT NULL,
        module TEXT NOT NULL,
        qualname TEXT NOT NULL,
        file TEXT,
        kind TEXT NOT NULL,
        characteristics TEXT NOT NULL,
        first_at INTEGER NOT NULL,
        UNIQUE (name, version))""",
    """CREATE TABLE IF NOT EXISTS executions (
        id INTEGER PRIMARY KEY,
        tool INTEGER NOT NULL,
        arm TEXT NOT NULL,
        at INTEGER NOT NULL,
        duration INTEGER,
        failed INTEGER NOT NULL,
        replayable INTEGER NOT NULL,
        inputs TEXT NOT NULL,
        output TEXT,
        signature TEXT,
        message TEXT)""",
    "CREATE INDEX IF NOT EXISTS executions_by_tool ON executions (tool, failed)",
    """CREATE TABLE IF NOT EXISTS signatures (
        tool INTEGER NOT NULL,
        signature TEXT NOT NULL,
        error TEXT NOT NULL,
        message TEXT NOT NULL,
        frames TEXT NOT NULL,
        errors INTEGER NOT NULL,
        first_at INTEGER NOT NULL,
        last_at INTEGER NOT NULL,
        PRIMARY KEY (tool, signature)) WITHOUT ROWID""",
    """CREATE TABLE IF NOT EXISTS rollups (
        step INTEGER NOT NULL,
        began INTEGER NOT NULL,
        tool INTEGER NOT NULL,
        arm TEXT NOT NULL,
        calls INTEGER NOT NULL,
        errors INTEGER NOT NULL,
        kept INTEGER NOT NULL,
        timed INTEGER NOT NULL,
        duration INTEGER NOT NULL,
        log_sum REAL NOT NULL,
        log_squares REAL NOT NULL,
        PRIMARY KEY (step, began, tool, arm)) WITHOUT ROWID""",
    """CREATE TABLE IF NOT EXISTS latencies (
        step INTEGER NOT NULL,
        began INTEGER NOT NULL,
        tool INTEGER NOT NULL,
        arm TEXT NOT NULL,
        bucket INTEGER NOT NULL,
        calls INTEGER NOT NULL,
        PRIMARY KEY (step, began, tool, arm, bucket)) WITHOUT ROWID""",
    """CREATE TABLE IF NOT EXISTS failures (
        step INTEGER NOT NULL,
        began INTEGER NOT NULL,
        tool INTEGER NOT NULL,
        arm TEXT NOT NULL,
        signature TEXT NOT NULL,
        errors INTEGER NOT NULL,
        PRIMARY KEY (step, began, tool, arm, signature)) WITHOUT ROWID""",
    """CREATE TABLE IF NOT EXISTS overhead (
        day INTEGER PRIMARY KEY,
        own INTEGER NOT NULL,
        spent INTEGER NOT NULL)""",
)

BUCKETS_PER_OCTAVE = 4


def bucket(duration_ns: int) -> int:
    """The latency bucket of a duration: four to each doubling, so a bucket's bounds are 19 % apart."""
    from math import log2

    return int(BUCKETS_PER_OCTAVE * log2(max(duration_ns, 1)))


def bucket_middle(bucket: int) -> float:
    """The duration in nanoseconds that stands for a bucket: its geometric middle."""
    return float(2 ** ((bucket + 0.5) / BUCKETS_PER_OCTAVE))
