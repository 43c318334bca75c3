"""Runs at the same time: order of results, limits and errors."""

import os
import threading
import time

import pytest

from whet.phases.validate.side_by_side import side_by_side


def test_results_come_in_the_order_of_the_runs() -> None:
    second_has_ended = threading.Event()

    def first() -> str:
        if (os.cpu_count() or 1) > 1:
            assert second_has_ended.wait(30)
        return "first"

    def second() -> str:
        second_has_ended.set()
        return "second"

    assert side_by_side([first, second]) == ["first", "second"]


def test_no_more_run_at_a_time_than_allowed() -> None:
    running: list[int] = []
    most: list[int] = []

    def run() -> None:
        running.append(1)
        most.append(len(running))
        running.pop()

    side_by_side([run] * 20, at_once=1)

    assert max(most) == 1


def test_an_exception_is_raised_after_the_others_have_ended() -> None:
    def broken() -> None:
        raise ValueError("broken")

    with pytest.raises(ValueError, match="broken"):
        side_by_side([broken, lambda: time.sleep(0.2)], at_once=2)

    assert not [thread for thread in threading.enumerate() if thread.name.startswith("ThreadPoolExecutor")]
