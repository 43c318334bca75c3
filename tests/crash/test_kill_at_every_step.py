"""Kill whet at every durable step, resume it, and check that it deploys once."""

import json
import os
import signal
from pathlib import Path

import pytest

from tests.cycle.test_undecided_calls import files, undecided
from tests.support import ForkedCommand, MakeRepo, Repo

KILLED = Path(__file__).parent / "killed.py"


def run_killed(repo: Repo, when: str, remembered: Path, *command: str) -> int:
    arguments = [when, str(remembered), *command]
    process = ForkedCommand(arguments, repo.root, dict(os.environ), script=str(KILLED)).end()
    assert "Traceback" not in process.err, process.err
    return process.code


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
            command = ("approve", waiting[0]["proposal"], "--yes")
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


@pytest.mark.slow
def test_an_answer_is_acted_on_once_if_every_step_after_it_is_killed(make_repo: MakeRepo, tmp_path: Path) -> None:
    repo, remembered = make_repo(files()), tmp_path / "killed-steps"
    proposal, numbers = undecided(repo)
    command: tuple[str, ...] = ("answer", proposal, str(numbers["None"]))
    codes = list[int]()
    while not codes or codes[-1] == -signal.SIGKILL:
        codes.append(run_killed(repo, "after", remembered, *command))
        command = ("resume",)
        assert len(codes) < 20, codes
    killed = remembered.read_text().splitlines()
    assert codes[-1] == 5, codes
    assert {"propose.decide-0", "validate.validate-1"} <= set(killed)
    view = repo.whet("show", proposal, "--json").json
    assert (view["verdict"], len(view["rulings"]), view["built"]["patch"]["diff"].count("_decided_")) == (
        "passed",
        1,
        1,
    )
    assert repo.whet("approve", proposal, "--yes", "--json").code == 0
    assert repo.whet("audit", "--json").code == 0


@pytest.mark.slow
def test_a_merge_before_a_crash_is_recorded_after_later_commits(sample: Repo, tmp_path: Path) -> None:
    """The kill is between the move of the branch and its record; then the policy is edited and a person commits."""
    assert sample.whet("run", "--json").code == 5
    proposal = sample.whet("list", "--json").json[0]["proposal"]
    assert (
        run_killed(sample, "after:deploy.merge", tmp_path / "killed", "approve", proposal, "--yes") == -signal.SIGKILL
    )
    moved = sample.head
    assert proposal in sample.sh("git", "log", "-1", "--format=%B")
    policy = (sample.root / "whet.toml").read_text()
    sample.commit({"whet.toml": policy + "\n[guard]\nmax_files = 9\n", "notes.md": "mine\n"}, "mine")
    assert sample.whet("resume", "--json").code == 0
    assert sample.whet("list", "--json").json[0]["status"] == "merged"
    deployments = sample.whet("show", proposal, "--json").json["deployments"]
    assert moved in [deployment["after"] for deployment in deployments]
    assert sample.whet("audit", "--json").json["audit"]["commits"] == []


def test_an_interrupted_cycles_failure_does_not_fail_the_next_cycle(make_repo: MakeRepo, tmp_path: Path) -> None:
    whole: dict[str, str | bytes] = {
        "m.py": "x = 1\n",
        "tests/test_m.py": "from m import x\n\n\ndef test_x():\n    assert x == 1\n",
        "whet.toml": "",
    }
    repo = make_repo({**whole, "tests/test_m.py": "import nothing_here\n"})
    assert run_killed(repo, "over", tmp_path / "killed-steps", "run") == -signal.SIGKILL
    repo.commit(whole)
    result = repo.whet("run", "--json")
    assert result.json == [], result.out
    assert len(json.loads(repo.whet("audit", "--json").out)) > 0
