"""Convert database rows of captured calls to the classes in `whet.domain.captured`."""

import json
import sqlite3
from datetime import UTC, datetime, timedelta

from whet.domain.captured import CapturedCall, CapturedTool, FailureSignature, Rollup
from whet.domain.version import arm_and_unit


def tool_from(row: sqlite3.Row) -> CapturedTool:
    return CapturedTool(
        name=row["name"],
        version=row["version"],
        module=row["module"],
        qualname=row["qualname"],
        file=row["file"],
        kind=row["kind"],
        characteristics=json.loads(row["characteristics"]),
        first_at=from_microseconds(row["first_at"]),
    )


def call_from(row: sqlite3.Row) -> CapturedCall:
    return CapturedCall(
        number=row["id"],
        tool=row["name"],
        version=row["version"],
        arm=arm_and_unit(row["arm"])[0],
        at=from_microseconds(row["at"]),
        duration_ns=row["duration"],
        failed=bool(row["failed"]),
        replayable=bool(row["replayable"]),
        inputs=row["inputs"],
        output=row["output"],
        signature=row["signature"],
        message=row["message"],
    )


def signature_from(row: sqlite3.Row) -> FailureSignature:
    return FailureSignature(
        tool=row["name"],
        version=row["version"],
        signature=row["signature"],
        error=row["error"],
        message=row["message"],
        frames=tuple((file, function, line) for file, function, line in json.loads(row["frames"])),
        errors=row["errors"],
        first_at=from_microseconds(row["first_at"]),
        last_at=from_microseconds(row["last_at"]),
    )


def rollup_from(row: sqlite3.Row, step: int, latencies: dict[int, int], failures: dict[str, int]) -> Rollup:
    _, name, version, arm, began, last, calls, errors, kept, timed, duration, log_sum, log_squares = row
    arm, unit = arm_and_unit(arm)
    return Rollup(
        tool=name,
        version=version,
        arm=arm,
        began_at=datetime.fromtimestamp(began, UTC),
        length=timedelta(seconds=last - began + step),
        calls=calls,
        errors=errors,
        kept=kept,
        timed=timed,
        duration_ns=duration,
        log_sum=log_sum,
        log_squares=log_squares,
        latencies=latencies,
        failures=failures,
        unit=unit,
    )


def from_microseconds(microseconds: int) -> datetime:
    return datetime.fromtimestamp(microseconds / 1_000_000, UTC)


def to_microseconds(moment: datetime) -> int:
    return int(moment.timestamp() * 1_000_000)
