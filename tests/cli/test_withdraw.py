"""An approval can be withdrawn until the deployment; afterwards whet refuses and names `whet rollback`."""

import shutil
import signal
from pathlib import Path

import pytest

from tests.cli.conftest import CopyRepo
from tests.cli.refusals import refuses_in_json
from tests.crash.test_kill_at_every_step import run_killed
from tests.support import Repo
from whet.app.setup.sample_repository import make_sample


@pytest.fixture(scope="module")
def waiting_for_branch(tmp_path_factory: pytest.TempPathFactory) -> Repo:
    folder = tmp_path_factory.mktemp("branch") / "calculator"
    folder.mkdir()
    make_sample(folder, bugs=["factorial"])
    repo = Repo(folder)
    policy = (folder / "whet.toml").read_text()
    repo.commit({"whet.toml": policy.replace('strategy = "merge"', 'strategy = "branch"')})
    assert repo.whet("run", "--json").code == 5
    return repo


@pytest.fixture
def waiting_branch_copy(waiting_for_branch: Repo, tmp_path: Path) -> Repo:
    return Repo(shutil.copytree(waiting_for_branch.root, tmp_path / "copy", symlinks=True))


def approve_and_kill(repo: Repo, tmp_path: Path, when: str) -> str:
    proposal = str(repo.whet("list", "--json").json[0]["proposal"])
    assert run_killed(repo, when, tmp_path / "killed", "approve", proposal, "--yes") == -signal.SIGKILL
    return proposal


def test_a_deployed_branch_is_not_withdrawn_but_rolled_back(waiting_branch_copy: Repo, tmp_path: Path) -> None:
    proposal = approve_and_kill(waiting_branch_copy, tmp_path, "before:deploy.verify")
    standing = waiting_branch_copy.sh("git", "rev-parse", f"whet/{proposal}")
    refuses_in_json(
        waiting_branch_copy.whet("withdraw", proposal, "--json"), 3, "refused", "deployed already", "whet rollback"
    )
    assert waiting_branch_copy.sh("git", "rev-parse", f"whet/{proposal}") == standing
    assert waiting_branch_copy.whet("resume", "--json").json[0]["status"] == "completed"
    assert waiting_branch_copy.whet("rollback", proposal, "--why", "after all").code == 0
    assert waiting_branch_copy.sh("git", "branch", "--list", "whet/*") == ""
    assert waiting_branch_copy.whet("audit", "--json").code == 0


def test_a_merge_that_landed_is_not_withdrawn(waiting_copy: CopyRepo, tmp_path: Path) -> None:
    repo = waiting_copy()
    proposal = approve_and_kill(repo, tmp_path, "after:deploy.merge")
    refuses_in_json(repo.whet("withdraw", proposal, "--json"), 3, "refused", "whet rollback")


@pytest.mark.parametrize("when", ["before:deploy.snapshot", "before:deploy.merge"])
def test_an_approval_is_withdrawn_before_the_branch_moves(waiting_copy: CopyRepo, tmp_path: Path, when: str) -> None:
    """With strategy merge, the proposal's own branch is only a stage."""
    repo = waiting_copy()
    head = repo.head
    proposal = approve_and_kill(repo, tmp_path, when)
    assert repo.whet("withdraw", proposal, "--why", "wait").code == 0
    assert repo.whet("list", "--json").json[0]["status"] == "withdrawn"
    assert repo.head == head
