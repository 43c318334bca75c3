"""A yes can be taken back while nothing has moved; afterwards it is a rollback, and whet says so."""

import shutil
import signal
from pathlib import Path

import pytest

from tests.cli.conftest import Fork
from tests.cli.words import refuses_in_json
from tests.crash.test_kill_at_every_step import run_killed
from tests.support import Repo
from whet.app.sample_repository import make_sample


@pytest.fixture(scope="module")
def waiting_for_a_branch(tmp_path_factory: pytest.TempPathFactory) -> Repo:
    folder = tmp_path_factory.mktemp("branch") / "calculator"
    folder.mkdir()
    make_sample(folder)
    repo = Repo(folder)
    policy = (folder / "whet.toml").read_text()
    repo.commit({"whet.toml": policy.replace('strategy = "merge"', 'strategy = "branch"')})
    assert repo.whet("run", "--json").code == 5
    return repo


@pytest.fixture
def branching(waiting_for_a_branch: Repo, tmp_path: Path) -> Repo:
    return Repo(shutil.copytree(waiting_for_a_branch.root, tmp_path / "copy", symlinks=True))


def approved_and_killed(repo: Repo, tmp_path: Path, when: str) -> str:
    proposal = str(repo.whet("list", "--json").json[0]["proposal"])
    assert run_killed(repo, when, tmp_path / "killed", "approve", proposal) == -signal.SIGKILL
    return proposal


def test_a_branch_that_stands_is_not_withdrawn_but_rolled_back(branching: Repo, tmp_path: Path) -> None:
    proposal = approved_and_killed(branching, tmp_path, "before:deploy.verify")
    standing = branching.sh("git", "rev-parse", f"whet/{proposal}")
    refuses_in_json(branching.whet("withdraw", proposal, "--json"), 3, "refused", "deployed already", "whet rollback")
    assert branching.sh("git", "rev-parse", f"whet/{proposal}") == standing
    assert branching.whet("resume", "--json").json[0]["status"] == "completed"
    assert branching.whet("rollback", proposal, "--why", "after all").code == 0
    assert branching.sh("git", "branch", "--list", "whet/*") == ""
    assert branching.whet("audit", "--json").code == 0


def test_a_merge_that_landed_is_not_withdrawn(fork: Fork, tmp_path: Path) -> None:
    repo = fork()
    proposal = approved_and_killed(repo, tmp_path, "after:deploy.merge")
    refuses_in_json(repo.whet("withdraw", proposal, "--json"), 3, "refused", "whet rollback")


@pytest.mark.parametrize("when", ["before:deploy.snapshot", "before:deploy.merge"])
def test_before_the_branch_moved_a_yes_is_taken_back(fork: Fork, tmp_path: Path, when: str) -> None:
    """On the way to a merge the branch of its own is only a stage."""
    repo = fork()
    head = repo.head
    proposal = approved_and_killed(repo, tmp_path, when)
    assert repo.whet("withdraw", proposal, "--why", "wait").code == 0
    assert repo.whet("list", "--json").json[0]["status"] == "withdrawn"
    assert repo.head == head
