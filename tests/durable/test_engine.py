"""Behaviour of DBOS that whet relies on and that is not documented."""

import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import pytest
from dbos import DBOS
from dbos._sys_db import SystemDatabase

from whet.durable import engine
from whet.errors import PARKING, StateUnusable, Stopped, WhetError, WorktreeNotClean


def test_interrupted_workflows_are_polled_for_often(tmp_path: Path) -> None:
    running = engine.Engine(tmp_path)
    try:
        instance = DBOS(config={"name": "whet"})
        assert engine.set_recovery_interval(instance, every_seconds=0.05)
        assert instance._registry.get_internal_queue().polling_interval_sec < 0.2
    finally:
        running.close()


def test_polling_slows_down_once_interrupted_workflows_run(tmp_path: Path) -> None:
    runs = list[str]()

    def interrupted(identity: str) -> str:
        runs.append(identity)
        running.receive("never", timeout_seconds=60)
        return identity

    for starts in (1, 2):
        running = engine.Engine(tmp_path)
        running.workflow("interrupted", interrupted)
        running.launch()
        if starts == 1:
            running.start("interrupted", "w-1")
        while len(runs) < starts:
            running.wait()
        assert DBOS(config={"name": "whet"})._registry.get_internal_queue().polling_interval_sec == 1.0
        running.close()


def test_a_finished_workflow_is_not_resumed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    original = SystemDatabase.update_workflow_outcome

    def late(self: SystemDatabase, *given: Any, **more: Any) -> bool:
        time.sleep(0.3)
        return original(self, *given, **more)

    monkeypatch.setattr(SystemDatabase, "update_workflow_outcome", late)
    runs = list[str]()

    def once(identity: str) -> str:
        runs.append(identity)
        return identity

    for _ in range(2):
        running = engine.Engine(tmp_path)
        running.workflow("once", once)
        running.launch()
        assert running.unfinished() == []
        if not runs:
            running.start("once", "w-1")
            while not running.ended("w-1"):
                running.wait()
        running.close()
    assert runs == ["w-1"]


def test_a_workflow_that_waits_lets_python_exit_and_is_resumed(tmp_path: Path) -> None:
    script = (
        "import sys; from pathlib import Path; from whet.durable.engine import Engine\n"
        "engine = Engine(Path(sys.argv[1]))\n"
        "def waits(identity):\n"
        "    print('runs', flush=True)\n"
        "    return str(engine.receive('answer', timeout_seconds=3600))\n"
        "engine.workflow('waits', waits)\n"
        "engine.launch()\n"
        "engine.start('waits', 'w-1')\n"
        "engine.wait()\n"
        "engine.close()\n"
    )
    process = subprocess.run(
        [sys.executable, "-c", script, tmp_path], capture_output=True, text=True, check=False, timeout=60
    )
    assert (process.returncode, process.stderr, process.stdout) == (0, "", "runs\n")
    answers = list[bool]()

    def waits(identity: str) -> str:
        answers.append(running.receive("answer", timeout_seconds=3600))
        return identity

    running = engine.Engine(tmp_path)
    running.workflow("waits", waits)
    running.launch()
    running.notify("w-1", "answer")
    while not running.ended("w-1"):
        running.wait()
    running.close()
    assert answers == [True]


@pytest.mark.parametrize("answered", [False, True])
def test_the_thread_of_a_parked_workflow_ends_with_its_engine(tmp_path: Path, *, answered: bool) -> None:
    ended = threading.Event()
    running = engine.Engine(tmp_path)

    def parks(identity: str) -> str:
        try:
            if answered:
                running.receive("answer", timeout_seconds=3600)
            with running.parking():
                raise Stopped("whet is stopped", "whet start")
        finally:
            ended.set()

    running.workflow("parks", parks)
    running.launch()
    running.start("parks", "w-1")
    if answered:
        running.notify("w-1", "answer")
    while running.halted is None:
        running.wait()
    assert not ended.is_set()
    running.close()
    assert ended.wait(10)


def test_a_workflow_that_cannot_go_on_is_parked_alone_and_a_record_that_is_unusable_halts_all(tmp_path: Path) -> None:
    running = engine.Engine(tmp_path)

    def carry(identity: str) -> str:
        problem: WhetError = WorktreeNotClean("uncommitted changes") if identity == "w-1" else StateUnusable("gone")
        if identity != "w-2":
            with running.parking((*PARKING, WorktreeNotClean)):
                raise problem
        return identity

    running.workflow("carry", carry)
    running.launch()
    try:
        running.start("carry", "w-1")
        while "w-1" not in running.parked:
            running.wait()
        running.start("carry", "w-2")
        while not running.ended("w-2"):
            running.wait()
        assert running.halted is None
        assert not running.ended("w-1")
        running.start("carry", "w-3")
        while running.halted is None:
            running.wait()
        assert str(running.halted) == "gone"
        assert set(running.parked) == {"w-1"}
    finally:
        running.close()
