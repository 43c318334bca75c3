"""Measure the CPU time of `whet guard hook` for one call, as a multiple of an interpreter that does nothing."""

import json
import resource
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from bench.table import Row

RUNS = 7
CALLS: dict[str, tuple[str, dict[str, Any]]] = {
    "a file that is read": ("Read", {"file_path": "src/app.py"}),
    "a file that is written": ("Write", {"file_path": "src/app.py", "content": "x"}),
    "a command": ("Bash", {"command": "pytest -q && git status"}),
}


def measure() -> Iterator[Row]:
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(["git", "init", "--quiet", folder], check=True)
        (Path(folder) / "whet.toml").write_text('[guard]\nprotected = ["docs/**"]\n')
        (Path(folder) / ".whet").mkdir(mode=0o700)
        nothing = cpu_seconds([sys.executable, "-c", "pass"], b"", folder)
        for name, (tool, arguments) in CALLS.items():
            event = {"hook_event_name": "PreToolUse", "cwd": folder, "tool_name": tool, "tool_input": arguments}
            hook = [sys.executable, "-m", "whet", "guard", "hook"]
            spent = cpu_seconds(hook, json.dumps(event).encode(), folder)
            yield Row("hook", f"CPU: {name}", f"{spent * 1000:.0f} ms", "python -c pass", spent / nothing)


def cpu_seconds(command: list[str], stdin: bytes, folder: str) -> float:
    """Return the least CPU time of some runs."""
    return min(_once(command, stdin, folder) for _ in range(RUNS))


def _once(command: list[str], stdin: bytes, folder: str) -> float:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, input=stdin, cwd=folder, check=True, stdout=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
