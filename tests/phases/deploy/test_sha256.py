"""A repository whose objects have SHA-256 names: every kind of change goes out, is finished after a cut, comes back."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.phases.deploy.test_again import FILES, assert_finished, cut_off, everything
from tests.phases.deploy.yard import PROPOSAL, Prepared, Yard, status
from tests.support import Repo
from whet.phases.deploy.branch import branch_of
from whet.phases.deploy.step import verify_snapshot


@pytest.fixture
def yard(tmp_path: Path) -> Iterator[Yard]:
    folder, state = tmp_path / "repo", tmp_path / "state"
    folder.mkdir()
    state.mkdir()
    repo = Repo(folder)
    repo.sh("git", "init", "--quiet", "--object-format=sha256", "--initial-branch=main")
    repo.sh("git", "config", "user.name", "tester")
    repo.sh("git", "config", "user.email", "tester@localhost")
    assert len(repo.commit(FILES)) == 64
    made = Yard(repo, state)
    yield made
    made.store.close()


@pytest.fixture
def prepared(yard: Yard) -> Prepared:
    return yard.prepare(everything)


def test_every_kind_of_change_goes_out_and_comes_back(yard: Yard, prepared: Prepared) -> None:
    verify_snapshot(prepared.snapshot, yard.git)
    assert_finished(yard, prepared)


def test_one_that_was_cut_off_is_finished(yard: Yard, prepared: Prepared) -> None:
    def some_files() -> None:
        everything(yard.repo.root)

    cut_off(yard, prepared, some_files)
    assert_finished(yard, prepared)


def test_a_branch_of_its_own_is_made_and_removed(yard: Yard) -> None:
    deployment = yard.deploy(yard.prepare(everything, "branch"))
    assert yard.git.read_ref(branch_of(PROPOSAL)) == deployment.after
    yard.roll_back(deployment)
    assert set(yard.git.read_ref(branch_of(PROPOSAL))) == {"0"}
    assert status(yard.repo) == ""


def test_a_file_is_brought_back_by_its_name(yard: Yard) -> None:
    tree = yard.git.with_files("HEAD", {"a.py": None, "new.py": b"new\n"})
    assert yard.git.with_entries(tree, "HEAD", ["a.py", "new.py"]) == yard.git.tree_of("HEAD")
    assert yard.git.read("HEAD", "a.py") == b"one\n"
