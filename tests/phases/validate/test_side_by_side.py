"""Runs at the same time: order of results, limits and errors."""

import os
import threading
import time
from pathlib import Path
from typing import Any

import pytest

from tests.integrity.shop import PRICE, RIGHT, WRONG, open_shop
from whet.domain.suite import SuiteReport
from whet.phases.validate.side_by_side import side_by_side
from whet.target.suite import Suite


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


@pytest.mark.skipif((os.cpu_count() or 1) < 2, reason="one core runs one suite at a time")
@pytest.mark.parametrize("at_once", [1, 2])
def test_patched_and_reverted_suites_run_as_the_policy_allows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, at_once: int
) -> None:
    shop = open_shop(tmp_path)
    shop.repo.commit({"whet.toml": f"[tests]\nat_once = {at_once}\n"}, "policy")
    started: list[float] = []
    ended: list[float] = []
    run = Suite._run

    def timed(suite: Suite, request: Any, watch: Any) -> SuiteReport:
        started.append(time.monotonic())
        report = run(suite, request, watch)
        ended.append(time.monotonic())
        return report

    monkeypatch.setattr(Suite, "_run", timed)

    proof = shop.prove({"price.py": PRICE.replace(WRONG, RIGHT)})

    assert proof.evidence.verdict == "passed", proof.evidence.reasons
    _, patched_ended, *_ = ended
    _, _, reverted_started, *_ = started
    assert (reverted_started < patched_ended) == (at_once == 2)
