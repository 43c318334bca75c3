"""The probes as an ordinary user. Where the tests run as root, a user id that nobody has stands in for one."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import whet
from whet.target.probing import Probed, ProbeOutcome

USER = "61537"
SCRIPT = """
import json, sys
from whet.sandbox.bubblewrap import Bubblewrap
from whet.target.probing import probe
print(json.dumps([[one.family, one.name, one.outcome.value, one.said] for one in probe(Bubblewrap())]))
"""
# `env` between the two: what setpriv itself starts is still looked up with root's rights.
AS_USER = ["setpriv", "--reuid", USER, "--regid", USER, "--clear-groups", "env"]


def probed(folder: Path) -> list[Probed]:
    """whet is copied to where that user can read it; nothing but the standard library is needed for probing."""
    folder.chmod(0o755)
    shutil.copytree(Path(whet.__file__).parent, folder / "whet", ignore=shutil.ignore_patterns("__pycache__"))
    env = {"PATH": "/usr/local/bin:/usr/bin:/bin", "PYTHONPATH": str(folder), "HOME": "/nonexistent"}
    command = [*AS_USER, _interpreter(), "-B", "-c", SCRIPT]
    done = subprocess.run(command, env=env, cwd="/", capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return [
        Probed(family, name, ProbeOutcome(outcome), said) for family, name, outcome, said in json.loads(done.stdout)
    ]


def _interpreter() -> str:
    for path in (sys.executable, "/usr/local/bin/python3", "/usr/bin/python3"):
        fits = [*AS_USER, path, "-c", "import sys; sys.exit(sys.version_info < (3, 11))"]
        if Path(path).exists() and subprocess.run(fits, cwd="/", capture_output=True, check=False).returncode == 0:
            return path
    pytest.skip("no interpreter that another user may run")
