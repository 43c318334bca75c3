"""Run the probes as an ordinary user: if the tests run as root, under a user id that no account has."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import whet
from whet.sandbox.escape_check import ProbeOutcome, ProbeResult

USER = "61537"
SCRIPT = """
import json, sys
from pathlib import Path
from whet.sandbox.bubblewrap import Bubblewrap
from whet.sandbox.escape_check import check_escapes
from whet.target.interpreter import probe
readable = probe(Bubblewrap(), Path(sys.executable), Path("/project")).readable
results = check_escapes(Bubblewrap(), readable)
print(json.dumps([[result.family, result.name, result.outcome.value, result.detail] for result in results]))
"""
# `env` in between: the program that setpriv itself executes is still looked up with root's rights.
AS_USER = ["setpriv", "--reuid", USER, "--regid", USER, "--clear-groups", "env"]


def check_escapes_as_user(folder: Path) -> list[ProbeResult]:
    """Copy whet to a folder that the user can read, and run all probes; they need the standard library only."""
    copy_whet(folder)
    return [
        ProbeResult(family, name, ProbeOutcome(outcome), detail)
        for family, name, outcome, detail in json.loads(run_as_user(folder, SCRIPT))
    ]


def copy_whet(folder: Path) -> None:
    """Copy whet's source to a folder that every user can read."""
    folder.chmod(0o755)
    shutil.copytree(Path(whet.__file__).parent, folder / "whet", ignore=shutil.ignore_patterns("__pycache__"))


def run_as_user(folder: Path, script: str, *arguments: str, cwd: Path = Path("/"), home: str = "/nonexistent") -> str:
    """Run a Python script with the copy of whet in `folder`, and return its output; it must succeed."""
    env = {"PATH": "/usr/local/bin:/usr/bin:/bin", "PYTHONPATH": str(folder), "HOME": home}
    command = [*AS_USER, python_of_user(), "-B", "-c", script, *arguments]
    done = subprocess.run(command, env=env, cwd=cwd, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def python_of_user() -> str:
    """Return a Python of at least 3.11 that the user may execute, or skip the test."""
    for path in (sys.executable, "/usr/local/bin/python3", "/usr/bin/python3"):
        check = [*AS_USER, path, "-c", "import sys; sys.exit(sys.version_info < (3, 11))"]
        if Path(path).exists() and subprocess.run(check, cwd="/", capture_output=True, check=False).returncode == 0:
            return path
    pytest.skip("no interpreter that another user may run")
