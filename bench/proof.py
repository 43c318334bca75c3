"""What a proof costs beyond the runs of the suite that it consists of.

Peer: three plain runs of the suite (`python -m pytest -q`), since red, green and red on revert take three. The suite
has 500 tests of about 4 milliseconds each, which is what the suites of semver, cachetools and itsdangerous have.
"""

import subprocess
import sys
import tempfile
import time
from pathlib import Path

from bench.table import Row
from whet.app.project import open_project
from whet.app.prove import prove
from whet.sandbox.git import Git

MODULES, TESTS = 10, 50
_WORK = "    assert sorted(range(12000), key=lambda x: -x)[0] == 11999\n"


def make_repository(folder: Path) -> None:
    git = Git(folder)
    git.ask("init", "--quiet", "--initial-branch=main")
    (folder / "tests").mkdir()
    for module in range(MODULES):
        functions = "\n\n".join(f"def f{n}(x):\n    return x + {n}" for n in range(TESTS))
        (folder / f"mod{module}.py").write_text(functions.replace("x + 7", "x - 7", 1) if module == 3 else functions)
        tests = "\n\n".join(f"def test_f{n}():\n{_WORK}    assert mod{module}.f{n}(1) == {n + 1}" for n in range(TESTS))
        (folder / "tests" / f"test_mod{module}.py").write_text(f"import mod{module}\n\n\n{tests}\n")
    (folder / "whet.toml").write_text('[tests]\nfolders = ["tests"]\n')
    git.ask("add", "--all")
    git.ask("-c", "user.name=bench", "-c", "user.email=bench@localhost", "commit", "--quiet", "--message", "first")


def plain_runs(folder: Path) -> float:
    started = time.perf_counter()
    for _ in range(3):
        command = [sys.executable, "-m", "pytest", "-q", "tests"]
        subprocess.run(command, cwd=folder, capture_output=True, check=False, env={"PYTHONDONTWRITEBYTECODE": "1"})
    return time.perf_counter() - started


def measure() -> list[Row]:
    with tempfile.TemporaryDirectory(prefix="whet-bench-") as name:
        folder = Path(name)
        make_repository(folder)
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
