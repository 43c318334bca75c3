"""Limits hold for the total over all processes of a sandbox, with a control group and without."""

import os
import subprocess
import sys
import time
from collections.abc import Iterator

import pytest

from tests.escape.inside import inside, interpreter_paths
from whet.sandbox import cgroup, watchdog
from whet.sandbox.bubblewrap import Bubblewrap
from whet.sandbox.sandbox import MEGABYTE, Finished, Job, JobLimits

PROMPT_SECONDS = 45  # on a busy machine too; what runs inside would go on for 90 s
COUNTED = ["by a control group", "by the watchdog"]


@pytest.fixture(params=COUNTED)
def counted(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    if request.param == COUNTED[1]:
        monkeypatch.setattr(cgroup, "make", lambda limits: None)
    elif cgroup._home() is None:
        pytest.skip("no control group can be made here")
    yield request.param


def python(code: str, limits: JobLimits) -> Finished:
    """Run code with the interpreter of these tests, inside; `sys.argv[1]` is the descriptor for results."""
    argv = (sys.executable, "-c", code, "{results}")
    paths = interpreter_paths()
    return Bubblewrap().run(Job(argv=argv, tree=bytes(10240), root="/project", limits=limits, readable=paths))


SMALL = JobLimits(
    wall_seconds=60, cpu_seconds=1, memory_bytes=150 * MEGABYTE, processes=20, files=300, output_bytes=2 * MEGABYTE,
    lines=1000, line_bytes=MEGABYTE,
)  # fmt: skip
BREAKS = {
    "cpu": "import os\nfor _ in range(2): os.fork()\nwhile True: pass",
    "memory": "import os, time\nfor _ in range(3): os.fork()\nx = bytearray(b'x') * 30_000_000\ntime.sleep(90)",
    "processes": "import os, time\ntry:\n  for _ in range(30):\n    if os.fork() == 0: time.sleep(90)\n"
    "finally:\n  time.sleep(90)",
    "files": "import os, time\nfor n in range(900): os.mkdir(f'/tmp/{n}')\ntime.sleep(90)",
    "output": "import time\nfor _ in range(99): print('x' * 100_000)\ntime.sleep(90)",
}


@pytest.mark.parametrize("name", BREAKS)
def test_a_limit_ends_the_whole_tree_and_is_named(name: str, counted: str) -> None:
    finished = python(BREAKS[name], SMALL)
    assert finished.stopped_by == name, finished.output
    assert finished.seconds < PROMPT_SECONDS


def test_the_time_limit_ends_background_processes_too() -> None:
    finished = inside("(setsid sleep 90 &); sleep 90", limits=JobLimits(wall_seconds=0.5))
    assert finished.stopped_by == "wall"
    assert finished.seconds < PROMPT_SECONDS


def test_a_long_chain_of_processes_is_watched(counted: str) -> None:
    """Each process is the child of the one before; the chain is longer than Python's recursion limit."""
    code = "import os, time\nfor n in range(1200):\n    if os.fork(): os.wait(); os._exit(0)\ntime.sleep(60)"
    finished = python(code, JobLimits(wall_seconds=3, processes=2000))
    assert finished.stopped_by == "wall", finished.output


def test_processes_started_by_a_thread_are_counted(counted: str) -> None:
    code = f"import threading\ndef go():\n  exec({BREAKS['processes']!r})\nthreading.Thread(target=go).start()"
    assert python(code, SMALL).stopped_by == "processes"


def test_processor_time_is_counted_once(counted: str) -> None:
    """Count a child's time once, not again when its parent waits for it: twice 0.5 s is below the limit of 1.9 s."""
    code = (
        "import os, time\nfor _ in range(2):\n  if os.fork() == 0:\n"
        "    while time.process_time() < 0.5: pass\n    os._exit(0)\n  os.wait()\ntime.sleep(0.2)"
    )
    finished = python(code, JobLimits(wall_seconds=60, cpu_seconds=1.9))
    assert (finished.exit_code, finished.stopped_by) == (0, ""), finished.output


ENDLESS = {
    "one line": "import os, sys\nfor _ in range(9999): os.write(int(sys.argv[1]), b'x' * 65536)",
    "empty lines": "import os, sys\nfor _ in range(9999): os.write(int(sys.argv[1]), b'\\n' * 65536)",
}


@pytest.mark.parametrize("kind", ENDLESS)
def test_endless_results_end_the_run_and_do_not_fill_the_hosts_memory(kind: str) -> None:
    wide = JobLimits(wall_seconds=60, output_bytes=500 * MEGABYTE, lines=1000, line_bytes=MEGABYTE)
    finished = python(ENDLESS[kind], wide)
    assert finished.stopped_by == "output"
    assert sum(map(len, finished.lines)) < 3 * MEGABYTE
    assert len(finished.lines) < 200_000


def test_a_long_line_is_read_in_linear_time() -> None:
    code = "import os, sys\nfor _ in range(15): os.write(int(sys.argv[1]), b'x' * 1_000_000)"
    began = time.process_time()
    finished = python(code, JobLimits(wall_seconds=60))
    assert len(finished.lines[0]) == 15_000_000
    assert time.process_time() - began < 5


def test_a_file_cannot_grow_beyond_its_limit() -> None:
    small = JobLimits(wall_seconds=20, file_bytes=MEGABYTE)
    assert inside("head -c 5M /dev/zero > big", limits=small).exit_code != 0


def test_the_tree_cannot_grow_beyond_its_limit() -> None:
    small = JobLimits(wall_seconds=20, tree_bytes=8 * MEGABYTE)
    assert inside("for i in 1 2 3 4 5; do head -c 4M /dev/zero > f$i || exit 1; done", limits=small).exit_code != 0


def test_a_watchdog_that_fails_ends_the_run(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(self: watchdog.Watchdog, first: int) -> str:
        raise RecursionError("too deep")

    monkeypatch.setattr(watchdog.Watchdog, "check", fail)
    finished = inside("sleep 90")
    assert finished.stopped_by == "watchdog"
    assert "too deep" in finished.output
    assert finished.seconds < PROMPT_SECONDS


def test_a_daemon_is_dead_when_the_call_returns() -> None:
    mark = "whet-test-daemon"
    for _ in range(5):
        inside(f"(setsid bash -c 'exec -a {mark} sleep 300 <&- >&- 2>&-' &) ; sleep 0.05")
        listed = subprocess.run(["ps", "axo", "args"], capture_output=True, text=True, check=True).stdout
        assert mark not in listed


def test_no_control_group_is_left() -> None:
    home = cgroup._home()
    if home is None:
        pytest.skip("no control group can be made here")
    inside("(setsid sleep 300 &)")
    time.sleep(0.05)
    assert not [path for folder in set(home[1].values()) for path in folder.glob(f"whet-{os.getpid()}-*")]
