"""The calls that are counted, the calls that are captured, and how much capturing may cost."""

import sys
import threading
import time
from datetime import timedelta
from pathlib import Path

import pytest

from whet import runtime, tool
from whet.domain.clock import now
from whet.domain.execution import MOST_SHARE
from whet.errors import UsageError
from whet.runtime.capture.capturer import CAPACITY, Capturer
from whet.runtime.capture.sampling import Sampling
from whet.runtime.implementation import UNSAMPLED
from whet.runtime.registry import declared_tool
from whet.store.executions import Executions


@tool(name="capturer.divide")
def divide(a: int, b: int) -> float:
    return a / b


@tool(name="capturer.rest")
def rest(seconds: float) -> None:
    time.sleep(seconds)


def return_one() -> int:
    return 1


def spin(seconds: float) -> None:
    until = time.perf_counter() + seconds
    while time.perf_counter() < until:
        pass


def test_failures_are_counted_and_have_a_signature_and_frames(executions: Executions) -> None:
    for number in range(10):
        try:
            divide(number, number % 2)
        except ZeroDivisionError:
            continue
    assert runtime.flush()
    (row,) = executions.opportunity_rows()
    assert (row.calls, row.errors, row.kept, row.timed) == (10, 5, 10, 10)
    (signature,) = executions.signatures("capturer.divide")
    assert (signature.error, signature.errors) == ("builtins.ZeroDivisionError", 5)
    assert signature.frames[0][:2] == ("tests/runtime/capture/test_capturer.py", "divide")
    assert row.failures == {signature.signature: 5}
    assert [call.failed for call in executions.calls("capturer.divide", failed=True)] == [True] * 5
    assert executions.calls("capturer.divide", failed=True, limit=1)[0].inputs == "[[8,0],{}]"
    minutes = executions.rollups("capturer.divide", length=timedelta(minutes=1))
    assert sum(minute.calls for minute in minutes) == 10


def test_fifty_threads_lose_no_count(executions: Executions) -> None:
    def work() -> None:
        for number in range(2000):
            try:
                divide(number, number % 4)
            except ZeroDivisionError:
                continue

    threads = [threading.Thread(target=work) for _ in range(50)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert runtime.flush(30)
    (row,) = executions.opportunity_rows()
    assert (row.calls, row.errors) == (100_000, 25_000)
    assert 0 < row.kept < 100_000
    assert row.kept == len(executions.calls("capturer.divide", limit=100_000))


def test_only_a_sample_of_a_fast_tools_calls_is_captured_but_all_are_counted(executions: Executions) -> None:
    for number in range(50_000):
        divide(number, 1)
    assert runtime.flush()
    (row,) = executions.opportunity_rows()
    assert row.calls == 50_000
    assert UNSAMPLED <= row.kept < UNSAMPLED + 200


def test_the_calls_of_a_slow_tool_are_captured(executions: Executions) -> None:
    for _ in range(UNSAMPLED + 20):
        rest(0.04)
    assert runtime.flush()
    (row,) = executions.opportunity_rows()
    # On a loaded machine the time in which another process ran counts as a cost of capturing, and a call is skipped.
    assert UNSAMPLED + 10 <= row.kept <= UNSAMPLED + 20
    middle = row.quantile_ns(0.5)
    assert middle is not None
    assert middle > 36_000_000


def test_failures_are_sampled_last(executions: Executions) -> None:
    """At 200 microseconds per call, 1 % of the run time pays for some calls only, and 5 % for all failures."""

    @tool(name="capturer.sometimes")
    def sometimes(number: int) -> None:
        spin(0.0002)
        if number % 10 == 0:
            raise ValueError

    for number in range(4000):
        try:
            sometimes(number)
        except ValueError:
            continue
    assert runtime.flush()
    (row,) = executions.opportunity_rows()
    assert (row.calls, row.errors) == (4000, 400)
    failed = len(executions.calls("capturer.sometimes", failed=True, limit=4000))
    succeeded = len(executions.calls("capturer.sometimes", failed=False, limit=4000))
    assert failed / 400 > 2 * succeeded / 3600


def test_failures_of_a_fast_tool_that_mostly_fails_are_sampled_too(executions: Executions) -> None:
    for _ in range(20_000):
        with pytest.raises(ZeroDivisionError):
            divide(1, 0)
    assert runtime.flush()
    (row,) = executions.opportunity_rows()
    assert (row.calls, row.errors) == (20_000, 20_000)
    assert row.kept < 2_000


def test_capturing_stays_within_its_share_of_the_tools_run_time(executions: Executions) -> None:
    """Uses the capturer's own measurements, after the first calls, which are captured whatever they cost."""

    @tool(name="capturer.work")
    def work(number: int) -> int:
        spin(0.0001)
        return number

    for number in range(2 * UNSAMPLED):
        work(number)
    assert runtime.flush()
    before, before_overhead = executions.opportunity_rows()[0].kept, executions.overhead(since=now())
    capturer = declared_tool(work).implementation.capturer
    assert capturer is not None
    for number in range(20_000):
        work(number)
    assert runtime.flush()
    kept = executions.opportunity_rows()[0].kept - before
    implementation = declared_tool(work).implementation
    each = implementation.cost_ns / implementation.samples + capturer.sampling.drain_ns
    assert kept > 0
    assert (kept * each + 20_000 * capturer.sampling.counted_ns) / (20_000 * implementation.mean_ns) < MOST_SHARE
    overhead = executions.overhead(since=now())
    assert overhead.own_seconds - before_overhead.own_seconds > 20_000 * 0.0001
    assert (
        0
        < overhead.spent_seconds - before_overhead.spent_seconds
        < MOST_SHARE * (overhead.own_seconds - before_overhead.own_seconds)
    )


def test_a_full_buffer_drops_calls_and_counts_the_dropped_ones(tmp_path: Path) -> None:
    capturer = Capturer(str(tmp_path), Sampling(1.0, 0.01), frozenset())
    implementation = declared_tool(divide).implementation
    for _ in range(CAPACITY + 5):
        capturer.put((implementation, 0, 1, ((), {}, 0, True), None, None), 0)
    assert (len(capturer.buffer), capturer.dropped) == (CAPACITY, 5)
    heavy = Capturer(str(tmp_path), Sampling(1.0, 0.01), frozenset())
    for _ in range(CAPACITY):
        heavy.put((implementation, 0, 1, ((), {}, 16, True), None, None), 16)
    assert len(heavy.buffer) < CAPACITY / 16


def test_no_more_than_the_sampling_share_is_captured(tmp_path: Path) -> None:
    for share in (0.0, 0.1):
        runtime.configure(state=tmp_path / f"state{share}", sampling=share)
        try:
            for _ in range(200):
                rest(0.001)
            assert runtime.flush()
        finally:
            runtime.configure()
        (row,) = Executions(tmp_path / f"state{share}").opportunity_rows()
        assert row.calls == 200
        assert row.kept <= 200 * share * 2 + 1
        assert (row.kept == 0) == (share == 0)


@pytest.mark.parametrize("wrong", [{"sampling": 2}, {"sampling": -1}, {"limit": 0.06}, {"limit": 0}])
def test_settings_out_of_range_are_refused(wrong: dict[str, float]) -> None:
    with pytest.raises(UsageError):
        runtime.configure(**wrong)  # type: ignore[arg-type]


def test_without_a_state_folder_nothing_is_captured(tmp_path: Path) -> None:
    lonely = tool(name="capturer.lonely")(return_one)
    declared_tool(lonely).source.file = str(tmp_path / "module.py")
    for _ in range(10):
        lonely()
    implementation = declared_tool(lonely).implementation
    assert implementation.capturer is None
    assert runtime.status() == []


def test_the_state_folder_is_beside_the_nearest_whet_toml_except_under_pytest(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "whet.toml").write_text("")
    (tmp_path / "package").mkdir()
    placed = tool(name="capturer.placed")(return_one)
    declared_tool(placed).source.file = str(tmp_path / "package" / "module.py")
    placed()
    assert runtime.status() == []
    monkeypatch.delitem(sys.modules, "_pytest")
    runtime.configure()
    placed()
    assert runtime.flush()
    assert Executions(tmp_path / ".whet").opportunity_rows()[0].calls == 1
    assert (tmp_path / ".whet" / ".gitignore").read_text() == "*\n"
    runtime.configure()


def test_an_environment_variable_can_set_the_state_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WHET_STATE", str(tmp_path / "elsewhere"))
    tool(name="capturer.elsewhere")(return_one)()
    assert runtime.flush()
    assert Executions(tmp_path / "elsewhere").opportunity_rows()[0].calls == 1
    runtime.configure()


def test_an_empty_environment_variable_switches_capturing_off(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WHET_STATE", "")
    monkeypatch.delitem(sys.modules, "_pytest")
    (tmp_path / "whet.toml").write_text("")
    off = tool(name="capturer.off")(return_one)
    declared_tool(off).source.file = str(tmp_path / "module.py")
    off()
    assert runtime.status() == []


def test_a_database_that_reached_its_size_limit_takes_only_totals(
    executions: Executions, monkeypatch: pytest.MonkeyPatch
) -> None:
    divide(1, 1)
    assert runtime.flush()
    monkeypatch.setattr("whet.runtime.capture.writer.MOST_BYTES", 1)
    divide(1, 1)
    assert runtime.flush()
    assert runtime.status()[0]["dropped"] == 1
    assert len(executions.calls("capturer.divide")) == 1
    assert executions.opportunity_rows()[0].calls == 2


def test_recursion_depth_and_line_numbers_do_not_change_the_signature() -> None:
    from whet.runtime.capture.signature import signature

    once = [("a.py", "f", 1), ("a.py", "g", 5)]
    deeper = [("a.py", "f", 1), ("a.py", "f", 2), ("a.py", "f", 2), ("a.py", "g", 7)]
    assert signature("ValueError", once) == signature("ValueError", deeper)
    assert signature("ValueError", once) != signature("KeyError", once)
    assert signature("ValueError", once) != signature("ValueError", once[:1])


def test_an_idle_tool_is_detached_and_enrols_again_when_called(
    executions: Executions, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("whet.runtime.capture.drainer.FORGET_AFTER", 1)
    divide(1, 1)
    capturer = declared_tool(divide).implementation.capturer
    assert capturer is not None
    for _ in range(4):
        assert runtime.flush()
    assert capturer.enrolled == []
    divide(1, 1)
    assert runtime.flush()
    assert executions.opportunity_rows()[0].calls == 2
