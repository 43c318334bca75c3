"""Measure how fast trace lines become stored events, next to plain SQLite inserts of the same rows: `python -m bench.intake LINES`.

Also how fast the OTLP receiver takes requests of one, 32 and 512 spans.

Times are CPU times. All run in one process, one after the other, in a temporary folder. `python -m bench.intake 4000000` reads about 1 GB. Printed are the
events a second, the peak memory while reading, and the time of a second look after 100 more lines.
"""

import json
import resource
import sqlite3
import sys
import tempfile
import time
from pathlib import Path

from whet.config import SourcesPolicy
from whet.intake.look import Look
from whet.intake.otlp import Receiver
from whet.intake.traces import LineReader

STACK = 'Traceback (most recent call last):\n  File "/app/shop/cart.py", line 12, in total\n    raise ValueError(x)\nValueError: bad'


def write(path: Path, first: int, lines: int) -> None:
    """Append lines, one in fifty a failure with a stack."""
    now = time.time()
    with path.open("a") as stream:
        for number in range(first, first + lines):
            record: dict[str, object] = {
                "at": now - number % 3600, "id": f"span-{number}", "name": f"operation-{number % 40}", "seconds": 0.01,
                "status": "ok", "attributes": {"user": number % 1000, "text": "x" * 100},
            }  # fmt: skip
            if number % 50 == 0:
                record |= {
                    "status": "error",
                    "error": {"type": "ValueError", "message": f"bad {number}", "stack": STACK},
                }
            stream.write(json.dumps(record) + "\n")


def look(folder: Path, policy: SourcesPolicy) -> float:
    began = time.process_time()
    at = Look(folder, folder / ".whet", policy, "traces")
    at.at_lines(["*.jsonl"], LineReader(at.templates))
    return time.process_time() - began


def plain_inserts(folder: Path) -> tuple[float, int]:
    """Copy the stored rows into a fresh database with the same table and no indexes."""
    rows = list(sqlite3.connect(folder / ".whet/events.sqlite").execute("SELECT * FROM events LIMIT 500000"))
    plain = sqlite3.connect(folder / "plain.sqlite")
    plain.execute("PRAGMA journal_mode=WAL")
    plain.execute("PRAGMA synchronous=NORMAL")
    plain.execute("CREATE TABLE events (a, b, c, d, e, f, g, h, i, j, k, l, m)")
    began = time.process_time()
    for start in range(0, len(rows), 5000):
        with plain:
            plain.executemany(f"INSERT INTO events VALUES (?{', ?' * 12})", rows[start : start + 5000])
    return time.process_time() - began, len(rows)


def export(first: int, spans: int) -> bytes:
    """Return a request with these spans in OTLP/JSON, one in fifty a failure with its exception."""
    at = time.time_ns()
    exception = {"exception.type": "ValueError", "exception.message": "bad", "exception.stacktrace": STACK}
    attributes = [{"key": key, "value": {"stringValue": value}} for key, value in exception.items()]
    items = [
        {
            "traceId": f"{number:032x}", "spanId": f"{number:016x}", "name": f"operation-{number % 40}",
            "startTimeUnixNano": str(at), "endTimeUnixNano": str(at + 10_000_000), "status": {"code": 1},
            "attributes": [{"key": "user", "value": {"stringValue": str(number)}}],
            **({} if number % 50 else {"status": {"code": 2}, "events": [{"name": "exception", "attributes": attributes}]}),
        }
        for number in range(first, first + spans)
    ]  # fmt: skip
    return json.dumps({"resourceSpans": [{"scopeSpans": [{"spans": items}]}]}).encode()


def receive(folder: Path, requests: int, spans: int) -> float:
    """Return the spans a CPU second that a receiver takes in requests of this size."""
    bodies = [export(number * spans, spans) for number in range(requests)]
    receiver = Receiver(folder, SourcesPolicy())
    began = time.process_time()
    for body in bodies:
        status, _, _ = receiver.receive("/v1/traces", {"content-type": "application/json"}, body)
        if status != 200:
            raise SystemExit(f"the receiver answered {status}")
    return requests * spans / (time.process_time() - began)


def main(lines: int) -> None:
    policy = SourcesPolicy(look_mb=4096, most_events=10_000_000)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write(folder / "a.jsonl", 0, lines)
        size = (folder / "a.jsonl").stat().st_size / 1e6
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        seconds = look(folder, policy)
        grown = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024
        print(f"{lines:,} lines, {size:.0f} MB: {lines / seconds:,.0f} events a second, memory +{grown:.0f} MB")
        write(folder / "a.jsonl", lines, 100)
        print(
            f"second look, 100 new lines: {look(folder, policy) * 1000:.0f} ms; third, nothing new: {look(folder, policy) * 1000:.0f} ms"
        )
        plain, number = plain_inserts(folder)
        print(f"plain SQLite inserts of the same rows: {number / plain:,.0f} a second")
        for requests, spans in ((1000, 1), (200, 32), (20, 512)):
            rate = receive(folder / f"otlp-{spans}", requests, spans)
            print(f"OTLP requests of {spans} spans: {rate:,.0f} spans a second")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 100_000)
