"""Unusual repositories: supported ones work from run to rollback, unsupported ones are refused at the start."""

from pathlib import Path

from tests.cli.refusals import SMALL, refuses_both_ways
from tests.support import MakeRepo, Repo
from whet.app.setup.sample_repository import make_sample


def test_a_sha256_repository_works_from_run_to_rollback(tmp_path: Path) -> None:
    Repo(tmp_path).sh("git", "init", "--quiet", "--object-format=sha256", "--initial-branch=main", "calculator")
    make_sample(tmp_path / "calculator")
    repo = Repo(tmp_path / "calculator")
    before = repo.head
    assert len(before) == 64
    assert repo.whet("run", "--json").code == 5
    proposal = repo.whet("list", "--json").json[0]["proposal"]
    assert repo.whet("approve", proposal, "--yes", "--json").json[0]["status"] == "merged"
    assert repo.dirt() == ""
    assert repo.whet("rollback", proposal, "--json").code == 0
    assert repo.sh("git", "diff", "--stat", before, "HEAD") == ""
    assert repo.dirt() == ""
    assert repo.whet("audit", "--json").code == 0


def test_a_branch_called_whet_is_refused_before_a_cycle_starts(make_repo: MakeRepo) -> None:
    repo = make_repo({**SMALL, "m.py": "def f():\n    return 2\n"})
    repo.sh("git", "branch", "whet")
    refuses_both_ways(repo, "run", 4, "environment", "a branch is called 'whet'", "git branch -m whet")
    doctor = {row["name"]: row for row in repo.whet("doctor", "--quick", "--json").json}
    assert doctor["branch"]["ok"] is False
    assert "git branch -m whet" in doctor["branch"]["remedy"]
    assert repo.whet("list", "--json").json == []
    repo.sh("git", "branch", "-m", "whet", "other")
    assert repo.whet("run", "--json").code == 5


def test_edits_that_are_not_committed_are_said_to_be_left_out(make_repo: MakeRepo) -> None:
    repo = make_repo(SMALL)
    assert "uncommitted" not in repo.whet("scan").err
    repo.write({"m.py": "def f():\n    return 2\n"})
    result = repo.whet("scan")
    assert "uncommitted edits are left out: m.py" in result.err
    assert "1 of 1 test passed" in " ".join(result.out.split())
