import sqlite3
import threading
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from whet.config import RetentionPolicy
from whet.domain.captured import Overhead, Rollup
from whet.domain.clock import now
from whet.domain.execution import BUCKETS_PER_OCTAVE, FILE_NAME, bucket, bucket_middle
from whet.errors import StateUnusable
from whet.runtime.capture.batch import Batch
from whet.runtime.capture.writer import Writer
from whet.store.executions import Executions

KEY = ("shop.price", "v1")
OTHER = ("shop.price", "v2")
DESCRIBED = ("shop", "price", "shop.py", "plain", '{"idempotent": true}', 1)


@pytest.fixture
def writer(tmp_path: Path) -> Iterator[Writer]:
    writer = Writer(str(tmp_path))
    yield writer
    writer.close()


def batch(at: datetime, *, calls: int, failed: int = 0, key: tuple[str, str] = KEY, arm: str = "current") -> Batch:
    pending = Batch()
    pending.tools = {key: DESCRIBED}
    sums = pending.totals_of(key, arm, int(at.timestamp()) // 60 * 60)
    moment = int(at.timestamp() * 1_000_000)
    for number in range(calls):
        is_failed = number < failed
        pending.rows.append(
            (key, arm, moment + number, 1000, is_failed, True, "[[],{}]", None if is_failed else "1",
             "sig" if is_failed else None, "broke" if is_failed else None)
        )  # fmt: skip
        sums.calls += 1
        sums.kept += 1
        sums.timed += 1
        sums.errors += is_failed
        sums.duration += 1000
        sums.buckets[bucket(1000)] = sums.buckets.get(bucket(1000), 0) + 1
    if failed:
        sums.signatures["sig"] = failed
        pending.signatures[key, "sig"] = ["ValueError", "broke", '[["shop.py", "price", 3]]', failed, moment, moment]
    return pending


def test_a_missing_file_reads_as_no_calls(tmp_path: Path) -> None:
    executions = Executions(tmp_path)
    for rows in (executions.tools(), executions.calls("x"), executions.signatures("x"), executions.rollups()):
        assert rows == ()
    assert executions.opportunity_rows() == ()
    assert executions.overhead(since=now()) == Overhead(own_seconds=0.0, spent_seconds=0.0)
    assert executions.prune(RetentionPolicy()).successes == 0


def test_rollups_add_up_over_batches(writer: Writer, tmp_path: Path) -> None:
    at = now()
    writer.write(batch(at, calls=5, failed=2))
    writer.write(batch(at, calls=3, failed=1))
    writer.write(batch(at, calls=4, key=OTHER, arm="canary"))
    executions = Executions(tmp_path)
    old, new = sorted(executions.opportunity_rows(), key=lambda row: row.version)
    assert (old.calls, old.errors, old.failures, old.duration_ns) == (8, 3, {"sig": 3}, 8000)
    assert (new.version, new.arm, new.calls, new.failures) == ("v2", "canary", 4, {})
    assert [tool.version for tool in executions.tools()] == ["v1", "v2"]
    assert executions.tools()[0].characteristics == {"idempotent": True}
    (signature,) = executions.signatures("shop.price")
    assert (signature.errors, signature.frames) == (3, (("shop.py", "price", 3),))
    assert executions.signatures("shop.price", version="v2") == ()


def test_the_cost_of_capturing_is_summed_per_day(writer: Writer, tmp_path: Path) -> None:
    for own, spent in ((40_000_000_000, 200_000_000), (2_000_000_000, 50_000_000)):
        pending = batch(now(), calls=1)
        pending.own_ns, pending.spent_ns = own, spent
        writer.write(pending)
    executions = Executions(tmp_path)
    assert executions.overhead(since=now()) == Overhead(own_seconds=42.0, spent_seconds=0.25)
    assert executions.overhead(since=now() + timedelta(days=2)) == Overhead(own_seconds=0.0, spent_seconds=0.0)


def test_calls_are_filtered_by_version_and_outcome_newest_first(writer: Writer, tmp_path: Path) -> None:
    at = now()
    writer.write(batch(at - timedelta(hours=1), calls=5, failed=2))
    writer.write(batch(at, calls=4, key=OTHER))
    executions = Executions(tmp_path)
    assert len(executions.calls("shop.price")) == 9
    assert {call.version for call in executions.calls("shop.price", limit=4)} == {"v2"}
    assert [call.message for call in executions.calls("shop.price", failed=True)] == ["broke", "broke"]
    assert len(executions.calls("shop.price", version="v1", failed=False)) == 3
    moments = [call.at for call in executions.calls("shop.price")]
    assert moments == sorted(moments, reverse=True)


def test_rollups_are_read_per_minute_hour_and_day(writer: Writer, tmp_path: Path) -> None:
    start = datetime(2024, 5, 1, 10, 0, tzinfo=UTC)
    for minutes in (0, 1, 59, 61):
        writer.write(batch(start + timedelta(minutes=minutes), calls=2))
    executions = Executions(tmp_path)
    assert [row.calls for row in executions.rollups(length=timedelta(minutes=1))] == [2, 2, 2, 2]
    assert [row.calls for row in executions.rollups()] == [6, 2]
    assert [row.calls for row in executions.rollups(length=timedelta(days=1))] == [8]
    assert [row.calls for row in executions.rollups(since=start + timedelta(hours=1))] == [2]
    assert executions.rollups("another") == ()
    assert executions.opportunity_rows()[0].length == timedelta(days=1)


def test_rollups_are_read_in_one_transaction(writer: Writer, tmp_path: Path) -> None:
    at = now()
    over = threading.Event()
    writer.write(batch(at, calls=1))

    def write() -> None:
        other = Writer(str(tmp_path))
        while not over.is_set():
            other.write(batch(at, calls=3, failed=2))
        other.close()

    writing = threading.Thread(target=write)
    writing.start()
    try:
        read = [row for _ in range(200) for row in Executions(tmp_path).rollups("shop.price")]
    finally:
        over.set()
        writing.join()
    assert len({row.calls for row in read}) > 1, "nothing was written meanwhile"
    assert [(sum(row.latencies.values()), sum(row.failures.values())) for row in read] == [
        (row.calls, row.errors) for row in read
    ]


def test_a_quantile_is_as_precise_as_its_bucket() -> None:
    row = Rollup(
        tool="t", version="v", arm="current", began_at=now(), length=timedelta(hours=1), calls=100, errors=0, kept=100,
        timed=100, duration_ns=1, log_sum=0, log_squares=0, latencies={bucket(1_000_000): 95, bucket(9_000_000): 5},
    )  # fmt: skip
    assert row.quantile_ns(0.5) == pytest.approx(1_000_000, rel=0.1)
    assert row.quantile_ns(0.95) == pytest.approx(1_000_000, rel=0.1)
    assert row.quantile_ns(0.99) == pytest.approx(9_000_000, rel=0.1)
    assert bucket_middle(bucket(5000)) == pytest.approx(5000, rel=2 ** (1 / BUCKETS_PER_OCTAVE) - 1)


def test_pruning_keeps_failures_longer_and_hourly_rollups_forever(writer: Writer, tmp_path: Path) -> None:
    for days in (0, 10, 40):
        writer.write(batch(now() - timedelta(days=days), calls=10, failed=3))
    executions = Executions(tmp_path)
    pruned = executions.prune(RetentionPolicy())
    assert (pruned.successes, pruned.failures) == (14, 3)
    assert pruned.minutes > 0
    assert len(executions.calls("shop.price", failed=False)) == 7
    assert len(executions.calls("shop.price", failed=True)) == 6
    assert executions.opportunity_rows()[0].calls == 30
    assert sum(row.calls for row in executions.rollups()) == 30
    assert sum(row.calls for row in executions.rollups(length=timedelta(minutes=1))) == 10


def test_excess_calls_are_pruned_oldest_successes_first(writer: Writer, tmp_path: Path) -> None:
    for minutes in (3, 2, 1):
        writer.write(batch(now() - timedelta(minutes=minutes), calls=10, failed=4))
    executions = Executions(tmp_path)
    executions.prune(RetentionPolicy(most_calls=15))
    assert (len(executions.calls("shop.price", failed=False)), len(executions.calls("shop.price", failed=True))) == (
        3,
        12,
    )
    executions.prune(RetentionPolicy(most_calls=5))
    assert (len(executions.calls("shop.price", failed=False)), len(executions.calls("shop.price", failed=True))) == (
        0,
        5,
    )


def test_a_batch_is_written_completely_or_not_at_all(writer: Writer, tmp_path: Path) -> None:
    writer.write(batch(now(), calls=1))
    bad = batch(now(), calls=3)
    bad.rows.append((KEY, "current", 1, 1, False, True, None, None, None, None))
    with pytest.raises(sqlite3.IntegrityError):
        writer.write(bad)
    executions = Executions(tmp_path)
    assert len(executions.calls("shop.price")) == 1
    assert executions.opportunity_rows()[0].calls == 1


@pytest.mark.parametrize(("version", "says"), [(99, "version 99"), (0, "version 0")])
def test_another_file_version_is_refused(writer: Writer, tmp_path: Path, version: int, says: str) -> None:
    writer.write(batch(now(), calls=1))
    writer.close()
    with closing(sqlite3.connect(tmp_path / FILE_NAME)) as connection:
        connection.execute(f"PRAGMA user_version={version}")
    with pytest.raises(StateUnusable, match=says):
        Executions(tmp_path).tools()


def test_a_damaged_file_is_refused_with_a_remedy(tmp_path: Path) -> None:
    (tmp_path / FILE_NAME).write_bytes(b"x" * 5000)
    with pytest.raises(StateUnusable) as refused:
        Executions(tmp_path).tools()
    assert "move it away" in refused.value.remedy


def test_a_read_cannot_write(writer: Writer, tmp_path: Path) -> None:
    writer.write(batch(now(), calls=1))
    executions = Executions(tmp_path)
    with pytest.raises(StateUnusable, match="readonly"):
        executions._read("DELETE FROM executions")


def test_arrived_returns_one_arm_of_one_version_in_order(writer: Writer, tmp_path: Path) -> None:
    began = now()
    writer.write(batch(began - timedelta(minutes=5), calls=3, arm="control"))  # of an earlier trial
    writer.write(batch(began, calls=6, failed=2, arm="control"))
    writer.write(batch(began, calls=4, arm="current"))
    writer.write(batch(began, calls=4, arm="control", key=OTHER))
    executions = Executions(tmp_path)
    (tool,) = [tool for tool in executions.tools() if tool.version == KEY[1]]
    first = executions.arrived(tool, "control", since=began - timedelta(seconds=1), after=0, limit=4)
    assert [call.failed for call in first] == [True, True, False, False]
    rest = executions.arrived(tool, "control", since=began - timedelta(seconds=1), after=first[-1].number, limit=4)
    assert len(rest) == 2
    assert min(call.number for call in rest) > first[-1].number
    assert executions.arrived(tool, "control", since=began, after=rest[-1].number, limit=4) == ()
