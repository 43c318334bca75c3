"""Failures of the capturer never delay or change a call of the application, and lose as few counts as possible."""

import asyncio
import multiprocessing
import os
import shutil
import sqlite3
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import pytest

from whet import runtime, tool
from whet.domain.execution import FILE_NAME
from whet.store.executions import Executions


@tool(name="hazards.double")
def double(number: int) -> int:
    return 2 * number


@tool(name="hazards.wait")
async def wait(seconds: float) -> float:
    await asyncio.sleep(seconds)
    return seconds


def calls_of(folder: Path) -> int:
    return sum(row.calls for row in Executions(folder).opportunity_rows())


def program(tmp_path: Path, body: str) -> Path:
    """Write a program with a tool called `double`, whose calls are captured in its folder, and return its path."""
    (tmp_path / "whet.toml").write_text("")
    path = tmp_path / "program.py"
    head = "from whet import runtime, tool\n\n@tool\ndef double(number):\n    return 2 * number\n\n"
    path.write_text(head + textwrap.dedent(body))
    return path


def run(path: Path, timeout_seconds: float = 60) -> str:
    done = subprocess.run(
        [sys.executable, "-W", "error", path], capture_output=True, text=True, check=False, timeout=timeout_seconds
    )
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    return done.stdout


def test_a_locked_database_delays_no_caller(state: Path) -> None:
    double(1)
    assert runtime.flush()
    other = sqlite3.connect(state / FILE_NAME, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    began = time.perf_counter()
    for number in range(1000):
        assert double(number) == 2 * number
    assert time.perf_counter() - began < 5
    assert not runtime.flush(0.3)
    other.execute("ROLLBACK")
    other.close()
    assert runtime.flush(10)
    assert calls_of(state) == 1001


def test_a_damaged_database_is_not_touched_until_it_is_moved_away(state: Path) -> None:
    state.mkdir()
    damaged = b"not a database at all" * 1000
    (state / FILE_NAME).write_bytes(damaged)
    for number in range(100):
        assert double(number) == 2 * number
    assert not runtime.flush()
    assert "not a database" in runtime.status()[0]["problem"]
    assert (state / FILE_NAME).read_bytes() == damaged
    (state / FILE_NAME).rename(state / "damaged")
    assert runtime.flush()
    assert calls_of(state) == 100


def test_a_removed_state_folder_is_created_again(state: Path) -> None:
    double(1)
    assert runtime.flush()
    shutil.rmtree(state)
    double(1)
    assert runtime.flush()
    assert calls_of(state) == 1


@pytest.mark.parametrize("place", ["/proc/whet", "missing/state", "file"])
def test_calls_go_on_if_nothing_can_be_written(tmp_path: Path, place: str) -> None:
    (tmp_path / "file").write_text("in the way")
    runtime.configure(state=tmp_path / place)
    try:
        assert [double(number) for number in range(300)] == [2 * number for number in range(300)]
        assert not runtime.flush()
        assert runtime.status()[0]["problem"]
    finally:
        runtime.configure()


def test_a_full_disk_loses_no_count(tmp_path: Path) -> None:
    """A file-size limit simulates the full disk: writes fail in the middle of the database just the same."""
    path = program(
        tmp_path,
        """
        import resource, time

        @tool
        def slow(text):
            time.sleep(0.002)
            return text

        double(1)
        assert runtime.flush()
        resource.setrlimit(resource.RLIMIT_FSIZE, (150_000, resource.RLIM_INFINITY))
        for number in range(400):
            assert slow("x" * 900) == "x" * 900
            double(number)
        assert not runtime.flush()
        print(runtime.status()[0]["problem"])
        resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
        assert runtime.flush()
        """,
    )
    assert run(path).strip()
    assert calls_of(tmp_path / ".whet") == 801


def test_the_last_calls_of_a_program_and_of_a_spawned_child_are_written_at_exit(tmp_path: Path) -> None:
    path = program(
        tmp_path,
        """
        from multiprocessing import get_context

        def work():
            for number in range(50):
                double(number)

        if __name__ == "__main__":
            work()
            child = get_context("spawn").Process(target=work)
            child.start()
            child.join()
            assert child.exitcode == 0
        """,
    )
    run(path)
    assert calls_of(tmp_path / ".whet") == 100
    assert len(Executions(tmp_path / ".whet").calls("program.double")) == 100


def test_the_exit_of_a_program_does_not_wait_for_a_locked_database(tmp_path: Path) -> None:
    path = program(tmp_path, "double(1)\n")
    run(path)
    other = sqlite3.connect(tmp_path / ".whet" / FILE_NAME, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    run(path, timeout_seconds=60)  # only a hang takes so long
    other.close()


def test_a_tool_called_during_interpreter_shutdown_still_answers(tmp_path: Path) -> None:
    path = program(
        tmp_path,
        """
        import atexit

        class Last:
            def __del__(self):
                assert double(4) == 8

        last = Last()
        atexit.register(double, 2)
        double(1)
        atexit.register(double, 3)
        """,
    )
    run(path)
    assert calls_of(tmp_path / ".whet") >= 2


def test_a_forked_child_captures_its_own_calls_and_none_of_its_parent(state: Path) -> None:
    for number in range(10):
        double(number)
    child = os.fork()
    if child == 0:
        for number in range(5):
            double(number)
        os._exit(0 if runtime.flush() else 1)
    for number in range(10):
        double(number)
    assert os.waitpid(child, 0)[1] == 0
    assert runtime.flush()
    assert calls_of(state) == 25
    assert len(Executions(state).calls("hazards.double")) == 25


def _five_calls() -> None:
    for number in range(5):
        double(number)


def test_a_multiprocessing_worker_writes_its_calls_before_it_exits(state: Path) -> None:
    double(1)
    worker = multiprocessing.get_context("fork").Process(target=_five_calls)
    worker.start()
    worker.join()
    assert worker.exitcode == 0
    assert runtime.flush()
    assert calls_of(state) == 6


def test_a_fork_during_a_write_does_not_hang(state: Path) -> None:
    for _ in range(20):
        for number in range(200):
            double(number)
        child = os.fork()
        if child == 0:
            double(1)
            os._exit(0 if runtime.flush() else 1)
        assert os.waitpid(child, 0)[1] == 0
    assert runtime.flush()
    assert calls_of(state) == 20 * 201


def test_a_signal_handler_may_call_tools(tmp_path: Path) -> None:
    path = program(
        tmp_path,
        """
        import signal, time
        handled = 0

        def handle(*_):
            global handled
            handled += 1
            assert double(21) == 42

        signal.signal(signal.SIGALRM, handle)
        signal.setitimer(signal.ITIMER_REAL, 0.0005, 0.0005)
        made, until = 0, time.time() + 1
        while time.time() < until:
            assert double(made) == 2 * made
            made += 1
        signal.setitimer(signal.ITIMER_REAL, 0)
        assert runtime.flush()
        print(made + handled)
        """,
    )
    made = int(run(path))
    assert calls_of(tmp_path / ".whet") == made


def test_a_tool_called_near_the_recursion_limit_still_returns_its_result(state: Path) -> None:
    ran = []

    @tool(name="hazards.leaf")
    def leaf(number: int) -> int:
        ran.append(number)
        return number

    def descend(depth: int, number: int) -> int:
        return leaf(number) if depth == 0 else descend(depth - 1, number)

    returned = []
    for number in range(200):
        try:
            returned.append(descend(sys.getrecursionlimit() - 200 + number, number))
        except RecursionError:
            continue
    assert returned == ran
    assert 0 < len(ran) < 200


def test_nested_tool_calls_are_all_captured(state: Path) -> None:
    @tool(name="hazards.outer")
    def outer(number: int) -> int:
        return double(number) + outer(number - 1) if number else 0

    assert outer(5) == 30
    assert runtime.flush()
    assert {row.tool: row.calls for row in Executions(state).opportunity_rows()} == {
        "hazards.outer": 6,
        "hazards.double": 5,
    }


def test_a_thousand_concurrent_tasks_are_all_counted(state: Path) -> None:
    async def all_of_them() -> list[float]:
        return await asyncio.gather(*[wait(0.001) for _ in range(1000)])

    assert asyncio.run(all_of_them()) == [0.001] * 1000
    assert runtime.flush()
    assert calls_of(state) == 1000


def test_a_cancelled_task_is_not_captured_as_a_failure(state: Path) -> None:
    async def cancel() -> None:
        task = asyncio.create_task(wait(10))
        await asyncio.sleep(0.01)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(cancel())
    assert runtime.flush()
    (row,) = Executions(state).opportunity_rows()
    assert (row.calls, row.errors) == (1, 0)


def test_a_removed_working_directory_does_not_break_a_tool(tmp_path: Path) -> None:
    path = program(
        tmp_path,
        """
        import os, tempfile
        folder = tempfile.mkdtemp()
        os.chdir(folder)
        os.rmdir(folder)
        double.__whet_tool__.source.file = "relative.py"
        assert double(1) == 2
        """,
    )
    run(path)


def test_if_no_thread_can_start_nothing_is_captured_and_calls_still_work(tmp_path: Path) -> None:
    path = program(
        tmp_path,
        """
        import whet.runtime.capture.capturer

        def refuse(*_):
            raise RuntimeError("can't start new thread")

        whet.runtime.capture.capturer.start_new_thread = refuse
        assert [double(number) for number in range(300)] == [2 * number for number in range(300)]
        """,
    )
    run(path)
    assert calls_of(tmp_path / ".whet") == 0


def test_importing_the_public_names_loads_no_module_that_the_interpreter_has_not_loaded() -> None:
    code = (
        "import sys; from whet import BaseTool, Case, Registry, tool\n"
        "@tool\ndef f(): pass\n"
        "print([m for m in ('sqlite3', 'json', 'dataclasses', 'inspect', 'pathlib', 're', 'typing', 'hashlib') "
        "if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-I", "-S", "-c", f"import sys; sys.path[:0] = {sys.path!r}; {code}"],
                          capture_output=True, text=True, check=True)  # fmt: skip
    assert done.stdout.strip() == "[]"
