import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.phases import recorded as captured
from whet.cases.timed_calls import timed_calls, why_not_timed
from whet.domain.captured import CapturedCall
from whet.domain.timed_calls import TimedCalls

SECOND = 1_000_000_000


def slow(seconds: float, output: Any, *args: Any) -> CapturedCall:
    return replace(captured.call(*args, output=output), duration_ns=int(seconds * SECOND))


def written(calls: list[CapturedCall], path: str = "calculator.py") -> TimedCalls:
    timed = timed_calls(captured.tool(), path, calls)
    assert timed is not None
    return timed


def run(timed: TimedCalls, folder: Path, source: str) -> "subprocess.CompletedProcess[str]":
    (folder / "src").mkdir()
    (folder / "src" / "calculator.py").write_text(source)
    (folder / timed.path).write_text(timed.text)
    command = [sys.executable, timed.path, "3"]
    return subprocess.run(command, cwd=folder, env={**os.environ}, capture_output=True, text=True, check=False)


@pytest.mark.parametrize(
    ("declared", "why"),
    [
        ({"side_effects": False, "idempotent": True}, ""),
        ({"mocks": ["shop.send"], "idempotent": True}, ""),
        ({"idempotent": True}, "side effects"),
        ({"side_effects": False}, "idempotent"),
        ({}, "side effects"),
    ],
)
def test_only_calls_of_idempotent_tools_without_effects_are_timed(declared: dict[str, Any], why: str) -> None:
    assert why in why_not_timed(declared)
    assert bool(why) == bool(why_not_timed(declared))


def test_the_script_prints_the_seconds_of_a_few_calls(tmp_path: Path) -> None:
    timed = written([slow(1, 2.0, 6, 3), slow(2, 3.0, 6, 2), slow(1, 2.0, 6, 3)], "src/calculator.py")
    assert (timed.calls, timed.name) == (2, "captured calls of calculator.divide")
    assert timed.text.index("divide(6, 2)") < timed.text.index("divide(6, 3)"), "the slowest first"
    finished = run(timed, tmp_path, "def divide(a, b):\n    return a / b\n")
    assert finished.returncode == 0, finished.stderr
    assert float(finished.stdout) >= 0


def test_an_answer_that_differs_from_the_captured_one_ends_the_script(tmp_path: Path) -> None:
    finished = run(written([slow(1, 2.0, 6, 3)], "src/calculator.py"), tmp_path, "def divide(a, b):\n    return 0\n")
    assert finished.returncode != 0
    assert "AssertionError" in finished.stderr


@pytest.mark.parametrize(
    ("path", "folder"),
    [("a.py", "."), ("src/a.py", "src"), ("pack/a.py", "."), ("src/pack/a.py", "src"), ("lib/pack/__init__.py", "lib")],
)
def test_the_module_is_imported_from_its_own_folder(path: str, folder: str) -> None:
    assert f"sys.path.insert(0, {folder!r})" in written([slow(1, 2.0, 6, 3)], path).text


def test_without_a_call_that_can_be_written_down_there_is_no_script() -> None:
    assert timed_calls(captured.tool(), "a.py", [captured.call(1, replayable=False)]) is None
    assert timed_calls(captured.tool(), "a.py", []) is None
