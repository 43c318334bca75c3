"""The candidate that fails every call is stopped; inputs and outages that fail on both versions stop nobody."""

from random import Random

import pytest

from whet.runtime.reload.crash_loop import LONGEST, CrashLoop


def loop(*, alone: bool = False) -> tuple[CrashLoop, list[str]]:
    stopped: list[str] = []
    return CrashLoop("shop.price", stopped.append, alone=alone), stopped


@pytest.mark.parametrize("share", [0.1, 0.5])
def test_a_candidate_that_fails_every_call_is_stopped_after_few(share: float) -> None:
    watched, stopped = loop()
    random, calls = Random(1), 0
    while not stopped and calls < 1_000:
        if random.random() < share:
            calls += 1
            watched.failed(None, ValueError("no"))
        else:
            watched.old_called(None, False)
    assert LONGEST <= calls <= 30
    assert stopped == [f"shop.price failed {calls} times in a row, last with ValueError('no')"]


@pytest.mark.parametrize("share", [0.1, 0.5])
@pytest.mark.parametrize("failing", [0.5, 0.9, 1.0])
def test_calls_that_fail_on_both_versions_stop_nobody(share: float, failing: float) -> None:
    watched, stopped = loop()
    random = Random(2)
    for _ in range(20_000):
        failed = random.random() < failing
        if random.random() >= share:
            watched.old_called(None, failed)
        elif failed:
            watched.failed(None, ValueError("no"))
        else:
            watched.answered()
    assert stopped == []


def test_an_outage_in_the_middle_stops_nobody() -> None:
    watched, stopped = loop()
    random = Random(3)
    for number in range(20_000):
        failed = 5_000 < number < 7_000
        if random.random() >= 0.5:
            watched.old_called(None, failed)
        elif failed:
            watched.failed(None, ConnectionError())
        else:
            watched.answered()
    assert stopped == []


def test_one_key_that_fails_stops_nobody_and_many_keys_do() -> None:
    watched, stopped = loop()
    for number in range(200):
        watched.failed(3, ValueError("no"))
        watched.old_called(10 + number % 40, False)
    assert stopped == []
    for unit in range(10):
        watched.failed(unit, ValueError("no"))
    assert len(stopped) >= 1


def test_failures_where_the_old_version_answers_the_same_input_are_the_candidate_s() -> None:
    watched, stopped = loop()
    for _ in range(LONGEST - 1):
        watched.failed_where_old_answers(ValueError("no"))
    watched.answered()
    for _ in range(LONGEST):
        assert not stopped
        watched.failed_where_old_answers(ValueError("no"))
    assert len(stopped) == 1
