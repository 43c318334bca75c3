"""Measure how long a proof takes compared with the three suite runs that it needs at least.

The reference is three plain runs of the suite (`python -m pytest -q`): red, green, and red on revert. The suite has 500
tests of about 4 milliseconds each, as the suites of semver, cachetools and itsdangerous do.
"""

import subprocess
import sys
import tempfile
import time
from pathlib import Path

from bench.overhead import make_repository
from bench.table import Row
from whet.app.project import open_project
from whet.app.prove import prove

MODULES, TESTS = 10, 50
_WORK = "    assert sorted(range(12000), key=lambda x: -x)[0] == 11999\n"


def plain_runs(folder: Path) -> float:
    """Return the seconds that three plain runs of the suite take."""
    started = time.perf_counter()
    for _ in range(3):
        command = [sys.executable, "-m", "pytest", "-q", "tests"]
        subprocess.run(command, cwd=folder, capture_output=True, check=False, env={"PYTHONDONTWRITEBYTECODE": "1"})
    return time.perf_counter() - started


def measure() -> list[Row]:
    """Prove a fix in a generated repository and compare the time with that of the plain runs."""
    with tempfile.TemporaryDirectory(prefix="whet-bench-") as name:
        folder = Path(name)
        make_repository(folder, MODULES, TESTS, _WORK)
        project = open_project(folder)
        source = (folder / "mod3.py").read_text().replace("x - 7", "x + 7")
        git = project.git
        patch = git.patch(git.resolve("HEAD"), git.with_files("HEAD", {"mod3.py": source.encode()}), "the fix")
        plain = plain_runs(folder)
        started = time.perf_counter()
        evidence = prove(project, patch, trust_tests=False).evidence
        seconds = time.perf_counter() - started
    if evidence.verdict != "passed":
        raise SystemExit(f"the fix was not proved: {evidence.reasons}")
    return [
        Row("proof", "a whole proof, 500 tests", f"{seconds:.2f} s", f"three plain runs {plain:.2f} s", seconds / plain)
    ]
