"""Failures that recur and metrics that drift become signals; steady ones do not."""

import random
from datetime import timedelta
from pathlib import Path

import pytest

from tests.intake.streams import NOW, Streams, stack_of_a_failure
from tests.support import MakeRepo
from whet.config import SourcesPolicy
from whet.domain.clock import now
from whet.domain.reported import ChangedMetric, RecurringFailure
from whet.domain.signal import Signal
from whet.intake.skips import Skips
from whet.phases.observe.metrics import changed_metrics
from whet.phases.observe.recurring import recurring_failures
from whet.store.codec import decode
from whet.store.events import Events

POLICY = SourcesPolicy()
FAILED = {
    "status": "error",
    "error": {"type": "ZeroDivisionError", "message": "division by zero", "stack": stack_of_a_failure()},
}


@pytest.fixture
def streams(tmp_path: Path) -> Streams:
    return Streams(tmp_path)


def recurring(streams: Streams, paths: tuple[str, ...] = ()) -> list[Signal]:
    since = now() - timedelta(hours=POLICY.window_hours)
    return list(recurring_failures("traces", Events(streams.state), since, POLICY, paths, Skips()))


def changed(streams: Streams, policy: SourcesPolicy = POLICY) -> list[ChangedMetric]:
    at = now()
    since = at - timedelta(hours=policy.window_hours)
    signals = changed_metrics("traces", Events(streams.state), since, at, policy, Skips())
    payloads = [decode(ChangedMetric, signal.payload) for signal in signals]
    return [payload for payload in payloads if payload.how]


def test_three_failures_are_a_pattern_and_two_are_not(streams: Streams) -> None:
    for number in range(3):
        assert recurring(streams) == []
        streams.write({"at": NOW - number, "name": "work", "seconds": 1, **FAILED})
        streams.look()
    signals = recurring(streams, ("tests/intake/streams.py",))
    assert len(signals) == 3
    facts = decode(RecurringFailure, signals[0].payload)
    assert (facts.path, facts.function) == ("tests/intake/streams.py", "_divide")
    assert (facts.failures, facts.reports) == (3, 3)
    assert facts.why_not


def test_failures_before_the_window_do_not_count(streams: Streams) -> None:
    streams.write(*({"at": NOW - 25 * 3600 - number, "name": "work", **FAILED} for number in range(9)))
    streams.look()
    assert recurring(streams) == []


def hours(streams: Streams, value: object) -> None:
    """Write 40 spans an hour; `value(hour, generator)` gives the fields of each."""
    assert callable(value)
    generator = random.Random(7)
    streams.write(
        *(
            {
                "at": NOW - hour * 3600 - number * 60,
                "id": f"{hour}-{number}",
                "name": "work",
                **value(23 - hour, generator),
            }
            for hour in range(24)
            for number in range(40)
        )
    )
    streams.look()


def test_a_failure_rate_that_rises_is_a_drift(streams: Streams) -> None:
    hours(
        streams,
        lambda hour, generator: {
            "status": "error" if generator.random() < (0.3 if hour > 18 else 0.02) else "ok",
            "message": "x",
        },
    )
    [facts] = changed(streams)
    assert (facts.metric, facts.how) == ("failure rate of work", "rate")
    assert 0.15 < facts.size < 0.35


def test_slower_calls_are_a_drift_and_faster_ones_are_not(streams: Streams, tmp_path: Path) -> None:
    hours(streams, lambda hour, generator: {"seconds": generator.lognormvariate(0, 0.5) * (3 if hour > 17 else 1)})
    [facts] = changed(streams)
    assert (facts.metric, facts.how) == ("duration of work", "median")
    assert facts.size > 1
    (tmp_path / "faster").mkdir()
    faster = Streams(tmp_path / "faster")
    hours(faster, lambda hour, generator: {"seconds": generator.lognormvariate(0, 0.5) / (3 if hour > 17 else 1)})
    assert changed(faster) == []


def test_steady_metrics_give_no_signal(streams: Streams) -> None:
    hours(
        streams,
        lambda hour, generator: {
            "seconds": generator.lognormvariate(0, 0.5),
            "status": "error" if generator.random() < 0.05 else "ok",
        },
    )
    assert changed(streams) == []


def test_a_change_below_the_setting_is_no_drift(streams: Streams) -> None:
    hours(streams, lambda hour, generator: {"seconds": generator.lognormvariate(0, 0.5) * (3 if hour > 17 else 1)})
    assert changed(streams, SourcesPolicy(drift=5.0)) == []


def test_a_drift_names_the_metrics_that_move_with_it(streams: Streams) -> None:
    generator = random.Random(5)
    load = [generator.gauss(10, 1) for _ in range(18)] + [generator.gauss(30, 3) for _ in range(6)]
    for index, level in enumerate(load):
        for number in range(40):
            at = NOW - (23 - index) * 3600 - number * 60
            streams.write(
                {"at": at, "id": f"a{index}-{number}", "name": "slow", "seconds": level * generator.gauss(1, 0.02)}
            )
            streams.write(
                {"at": at, "id": f"b{index}-{number}", "name": "also", "seconds": level * 2 * generator.gauss(1, 0.02)}
            )
    streams.look()
    facts = {each.metric: each for each in changed(streams)}
    assert facts["duration of slow"].related[0].startswith("duration of also (+")


def test_scan_lists_a_recurring_failure_with_its_place_and_why_nothing_is_proposed(make_repo: MakeRepo) -> None:
    policy = '[target]\nbranch = "main"\n[observe]\nsources = ["traces"]\n[sources]\ntraces = ["logs/*.jsonl"]\n'
    repo = make_repo({"tests/intake/streams.py": "", "whet.toml": policy})
    (repo.root / "logs").mkdir()
    streams = Streams(repo.root / "logs")
    streams.write(
        b"broken", *({"at": NOW - number, "name": "shop.total", "seconds": 1, **FAILED} for number in range(4))
    )
    result = repo.whet("scan", "--json")
    assert result.code == 0, result.err
    [row] = result.json["findings"]
    assert row["finding"]["title"] == "shop.total: ZeroDivisionError: division by zero"
    assert row["finding"]["paths"] == ["tests/intake/streams.py"]
    assert row["engines"] == []
    assert any("no fix could be proved" in reason for reason in row["finding"]["reasons"])
    assert "traces: logs/a.jsonl: 1 line skipped: not JSON" in result.json["limits"]
