import random
from datetime import UTC, datetime, timedelta
from math import log

import pytest

from whet.domain.captured import Rollup
from whet.domain.execution import bucket
from whet.phases.observe.windows import LEAST_CALLS, worse_windows

THEN = datetime(2026, 1, 2, tzinfo=UTC)


def hour(number: int, *, calls: int = 1000, errors: int = 0, milliseconds: float = 10, seed: int = 0) -> Rollup:
    dice = random.Random(f"{seed}{number}{calls}{milliseconds}")
    times = [int(dice.lognormvariate(log(milliseconds * 1e6), 0.3)) for _ in range(calls)]
    latencies: dict[int, int] = {}
    for each in times:
        latencies[bucket(each)] = latencies.get(bucket(each), 0) + 1
    return Rollup(
        tool="t", version="v", arm="current", began_at=THEN + timedelta(hours=number), length=timedelta(hours=1),
        calls=calls, errors=errors, kept=calls, timed=calls, duration_ns=sum(times),
        log_sum=sum(map(log, times)), log_squares=sum(log(each) ** 2 for each in times), latencies=latencies,
    )  # fmt: skip


def kinds(rows: list[Rollup]) -> list[str]:
    return [signal.kind for signal in worse_windows(rows, {"t": "t.py"})]


CALM = [hour(number, errors=10) for number in range(24)]

WORSE = [
    [hour(24 + n, errors=150) for n in range(6)],
    [hour(24 + n, milliseconds=20) for n in range(6)],
    [hour(24 + n, calls=200, errors=60) for n in range(6)],
]
NOT_WORSE = [
    [hour(24 + n, errors=10) for n in range(6)],
    [hour(24 + n, errors=14) for n in range(6)],  # a difference, but a small one
    [hour(24 + n, milliseconds=10.5) for n in range(6)],
    [hour(24 + n, calls=LEAST_CALLS - 1, errors=20) for n in range(6)],  # too few to say
    [hour(24 + n, milliseconds=5) for n in range(6)],
    [hour(24 + n, errors=0) for n in range(6)],
]


@pytest.mark.parametrize("recent", WORSE)
def test_a_degraded_tool_gives_a_signal_for_every_hour(recent: list[Rollup]) -> None:
    assert kinds([*CALM, *recent]) == ["degraded_window"] * 5


@pytest.mark.parametrize("recent", NOT_WORSE)
def test_a_tool_without_a_clear_change_gives_no_signal(recent: list[Rollup]) -> None:
    assert kinds([*CALM, *recent]) == []


def test_a_slow_tool_gives_a_signal_even_if_it_was_always_slow() -> None:
    assert kinds([hour(n, milliseconds=3000) for n in range(4)]) == ["slow_window"] * 4


def test_many_unchanged_hours_give_no_signal() -> None:
    """A thousand hours in which nothing changed."""
    alarms = sum(
        bool(kinds([hour(n, calls=200, errors=random.Random(f"{run}{n}").randrange(8), seed=run) for n in range(20)]))
        for run in range(50)
    )
    assert alarms <= 1
