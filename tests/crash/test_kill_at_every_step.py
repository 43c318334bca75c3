import json
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support import Repo

KILLED = Path(__file__).parent / "killed.py"


def run_killed(repo: Repo, when: str, remembered: Path, *command: str) -> int:
    done = subprocess.run(
        [sys.executable, str(KILLED), when, str(remembered), *command],
        cwd=repo.root,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert "Traceback" not in done.stderr, done.stderr
    return done.returncode


@pytest.mark.slow
@pytest.mark.parametrize("when", ["before", "after"])
def test_a_cycle_killed_at_every_step_deploys_once(sample: Repo, tmp_path: Path, when: str) -> None:
    remembered = tmp_path / "killed-steps"
    command: tuple[str, ...] = ("run",)
    kills, codes = 0, list[int]()
    while True:
        code = run_killed(sample, when, remembered, *command)
        codes.append(code)
        assert len(codes) < 60, codes
        if code == -signal.SIGKILL:
            kills, command = kills + 1, ("resume",)
        elif code == 5:
            waiting = json.loads(sample.whet("list", "--json").out)
            command = ("approve", waiting[0]["proposal"])
        else:
            break
    steps = remembered.read_text().splitlines()
    assert code == 0, codes
    assert kills == len(steps)
    assert {name.partition(".")[0] for name in steps} == {
        "observe", "diagnose", "propose", "validate", "approve", "deploy", "learn",
    }  # fmt: skip
    assert sample.sh("git", "log", "--format=%s", "--grep=Whet-Proposal").count("\n") == 0
    assert sample.dirt() == ""
    assert len(json.loads(sample.whet("list", "--json").out)) == 1
    audit = sample.whet("audit", "--json")
    assert audit.code == 0, audit.out
