"""The tables of captured tool calls.

An application appends to them (`whet.runtime`) and whet reads them (`whet.store.executions`); neither imports the other.

`executions` holds the calls that were kept in full. The rollups count every call, kept or not: per minute for the recent
past, per hour and per day forever. Times are microseconds since 1970, durations nanoseconds; `began` and `day` are
seconds since 1970.
"""

from __future__ import annotations

FILE_NAME = "executions.db"
VERSION = 2

EVERY_ARGUMENT = "*"
"""The routing key that stands for all arguments of a call: in a trial the same input always gets the same version."""

MOST_SHARE = 0.05
"""Capturing may take at most this share of the time that the tools themselves take."""

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
    """Return the latency bucket of a duration: four per doubling, so the bounds of a bucket are 19 % apart."""
    from math import log2

    return int(BUCKETS_PER_OCTAVE * log2(max(duration_ns, 1)))


def bucket_middle(bucket: int) -> float:
    """Return the duration in nanoseconds that represents a bucket: its geometric middle."""
    return float(2 ** ((bucket + 0.5) / BUCKETS_PER_OCTAVE))
