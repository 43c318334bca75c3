"""Attempts to change who may approve by means of git, without a signature of the approvers in force."""

from collections.abc import Callable

import pytest

from tests.phases.approve.people import Person
from tests.phases.approve.test_roll import ALICE, MALLORY, PAIR, World, names, world
from whet.errors import ApproversChanged, BadSigners, Corrupt

__all__ = ["world"]


def revoked(world: World) -> None:
    """Make Mallory the first approver and Alice the only one afterwards."""
    world.commit(MALLORY)
    world.people()
    world.commit(ALICE)
    world.sign(MALLORY)
    assert world.people() == names(ALICE)


def shallow(world: World) -> None:
    (world.repo.root / ".git" / "shallow").write_text(world.repo.head + "\n")


def orphan_head(world: World) -> None:
    world.repo.sh("git", "checkout", "--quiet", "--orphan", "other")
    world.repo.sh("git", "commit", "--quiet", "--message", "another root")


def new_root(world: World) -> None:
    orphan_head(world)
    world.repo.sh("git", "branch", "--force", "main", "HEAD")
    world.repo.sh("git", "checkout", "--quiet", "main")


@pytest.mark.parametrize("trick", [shallow, orphan_head, new_root])
def test_another_identity_of_the_repository_brings_no_revoked_key_back(
    world: World, trick: Callable[[World], None]
) -> None:
    """Signed changes name the repository. Those of another repository do not count, which must not undo them."""
    revoked(world)
    world.commit(MALLORY)
    trick(world)
    for use in (world.roll.in_force, world.roll.pending):
        with pytest.raises(ApproversChanged, match="the approvers on record are those of the repository"):
            use()


@pytest.mark.parametrize(
    "name", ["refs/tags/main", "main", "refs/main", "refs/remotes/main", "refs/tags/refs/heads/main"]
)
def test_a_ref_with_the_name_of_the_branch_names_no_approvers(world: World, name: str) -> None:
    world.commit(ALICE)
    good = world.repo.head
    world.people()
    world.commit(MALLORY)
    evil = world.repo.head
    world.repo.sh("git", "reset", "--quiet", "--hard", good)
    path = world.repo.root / ".git" / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(evil + "\n")
    assert world.people() == names(ALICE)


def test_replaced_objects_and_grafts_name_no_approvers(world: World) -> None:
    world.commit(ALICE)
    good = world.repo.head
    world.people()
    world.commit(MALLORY)
    evil = world.repo.head
    world.repo.sh("git", "reset", "--quiet", "--hard", good)
    world.repo.sh("git", "replace", good, evil)
    world.repo.sh(
        "git",
        "replace",
        world.repo.sh("git", "rev-parse", f"{good}:whet.signers"),
        world.repo.sh("git", "rev-parse", f"{evil}:whet.signers"),
    )
    (world.repo.root / ".git" / "info" / "grafts").write_text(f"{good}\n")
    assert world.people() == names(ALICE)


@pytest.mark.parametrize("kind", ["link", "folder", "nothing"])
def test_signers_that_are_no_file_are_not_an_empty_list(world: World, kind: str) -> None:
    """With no signers, the word of a process would do."""
    world.commit(ALICE)
    world.people()
    file = world.repo.root / "whet.signers"
    file.unlink()
    if kind == "link":
        (world.repo.root / "theirs").write_text(MALLORY.line)
        file.symlink_to("theirs")
    elif kind == "folder":
        file.mkdir()
        (file / "whet.signers").write_text(MALLORY.line)
    world.repo.sh("git", "add", "--all")
    world.repo.sh("git", "commit", "--quiet", "--message", "change")
    with pytest.raises((ApproversChanged, BadSigners, Corrupt)):
        world.roll.in_force()


def test_one_person_in_other_letters_is_not_a_second_signer(world: World) -> None:
    """Two seats are two people, also if one of them is enrolled with two keys under two spellings."""
    other = Person(ALICE.name.upper())
    world.commit(ALICE, other, policy=PAIR)
    world.people()
    world.commit(ALICE, other, MALLORY)
    world.sign(ALICE, other)
    with pytest.raises(ApproversChanged):
        world.roll.in_force()
