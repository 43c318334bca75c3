"""Deployments, crashes and rollbacks in a repository with SHA-256 object names."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.phases.deploy.harness import PROPOSAL, Harness, Prepared, status
from tests.phases.deploy.test_interrupted import FILES, assert_finished, crash, everything
from tests.support import Repo
from whet.phases.deploy.branch import branch_of
from whet.phases.deploy.step import verify_snapshot


@pytest.fixture
def harness(tmp_path: Path) -> Iterator[Harness]:
    folder, state = tmp_path / "repo", tmp_path / "state"
    folder.mkdir()
    state.mkdir()
    repo = Repo(folder)
    repo.sh("git", "init", "--quiet", "--object-format=sha256", "--initial-branch=main")
    repo.sh("git", "config", "user.name", "tester")
    repo.sh("git", "config", "user.email", "tester@localhost")
    assert len(repo.commit(FILES)) == 64
    made = Harness(repo, state)
    yield made
    made.store.close()


@pytest.fixture
def prepared(harness: Harness) -> Prepared:
    return harness.prepare(everything)


def test_every_kind_of_change_deploys_and_rolls_back(harness: Harness, prepared: Prepared) -> None:
    verify_snapshot(prepared.snapshot, harness.git)
    assert_finished(harness, prepared)


def test_a_deployment_interrupted_by_a_crash_is_finished(harness: Harness, prepared: Prepared) -> None:
    def some_files() -> None:
        everything(harness.repo.root)

    crash(harness, prepared, some_files)
    assert_finished(harness, prepared)


def test_a_branch_is_created_and_removed(harness: Harness) -> None:
    deployment = harness.deploy(harness.prepare(everything, "branch"))
    assert harness.git.read_ref(branch_of(PROPOSAL)) == deployment.after
    harness.roll_back(deployment)
    assert set(harness.git.read_ref(branch_of(PROPOSAL))) == {"0"}
    assert status(harness.repo) == ""


def test_files_of_another_commit_are_restored_by_path(harness: Harness) -> None:
    tree = harness.git.with_files("HEAD", {"a.py": None, "new.py": b"new\n"})
    assert harness.git.with_entries(tree, "HEAD", ["a.py", "new.py"]) == harness.git.tree_of("HEAD")
    assert harness.git.read("HEAD", "a.py") == b"one\n"
