"""What a person has not committed is theirs: it is never touched, and where it is in the way, whet refuses."""

import subprocess
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from tests.phases.deploy.yard import MAIN, PROPOSAL, Untouched, Yard, on_disk, status
from tests.support import Repo
from whet.errors import Refused, WorktreeNotClean
from whet.phases.deploy.branch import branch_of


def change_a(root: Path) -> None:
    path = root / "a.py"
    path.write_text(path.read_text().replace("line 5\n", "line five\n"))


def add_new(root: Path) -> None:
    (root / "new").mkdir()
    (root / "new" / "file.py").write_text("new\n")


def unstaged(root: Path) -> None:
    (root / "b.py").write_text("mine\n")


def staged(root: Path) -> None:
    (root / "b.py").write_text("mine\n")
    Repo(root).sh("git", "add", "b.py")


def staged_and_edited_again(root: Path) -> None:
    staged(root)
    (root / "b.py").write_text("mine, later\n")


def staged_and_edited_back(root: Path) -> None:
    staged(root)
    (root / "b.py").write_text("other\n")


def staged_alone(root: Path) -> None:
    """A new file that is in the index and no longer on disk."""
    (root / "c.py").write_text("only staged\n")
    Repo(root).sh("git", "add", "c.py")
    (root / "c.py").unlink()


def deleted(root: Path) -> None:
    (root / "b.py").unlink()


def renamed(root: Path) -> None:
    Repo(root).sh("git", "mv", "b.py", "renamed.py")


def executable(root: Path) -> None:
    (root / "b.py").chmod(0o755)


def linked(root: Path) -> None:
    (root / "b.py").unlink()
    (root / "b.py").symlink_to("a.py")


def the_same_edit(root: Path) -> None:
    """A person made the very change, and did not commit it."""
    change_a(root)


def intended(root: Path) -> None:
    (root / "c.py").write_text("to be added\n")
    Repo(root).sh("git", "add", "--intent-to-add", "c.py")


def in_conflict(root: Path) -> None:
    repo = Repo(root)
    repo.sh("git", "stash", "push", "--quiet") if repo.dirt() else None
    blobs = [repo.sh("git", "hash-object", "-w", name) for name in ("a.py", "b.py")]
    rows = f"100644 {blobs[0]} 1\tb.py\n100644 {blobs[1]} 2\tb.py\n100644 {blobs[0]} 3\tb.py\n"
    repo.git.ask("update-index", "--force-remove", "b.py")
    repo.git.ask("update-index", "--index-info", stdin=rows.encode())


DIRT = (
    unstaged, staged, staged_and_edited_again, staged_and_edited_back, staged_alone, deleted, renamed, executable,
    linked, the_same_edit, intended, in_conflict,
)  # fmt: skip


@pytest.mark.parametrize("make_dirty", DIRT, ids=lambda made: made.__name__)
def test_a_dirty_checkout_is_refused_and_left_alone(yard: Yard, make_dirty: Callable[[Path], None]) -> None:
    (yard.repo.root / "notes.txt").write_text("untracked\n")
    prepared = yard.prepare(change_a)
    make_dirty(yard.repo.root)
    before = Untouched.of(yard.repo)
    with pytest.raises(WorktreeNotClean) as refusal:
        yard.deploy(prepared)
    assert refusal.value.code == "worktree_not_clean"
    assert str(yard.repo.root) in refusal.value.message
    assert "commit or stash" in refusal.value.remedy
    assert Untouched.of(yard.repo) == before


def test_a_dirty_checkout_is_named_by_its_whole_paths(yard: Yard) -> None:
    prepared = yard.prepare(change_a)
    renamed(yard.repo.root)
    with pytest.raises(WorktreeNotClean, match=r"changes: b\.py, renamed\.py$"):
        yard.deploy(prepared)


def test_untracked_files_elsewhere_are_no_dirt(yard: Yard) -> None:
    prepared = yard.prepare(change_a)
    (yard.repo.root / "notes.txt").write_text("untracked\n")
    yard.deploy(prepared)
    assert status(yard.repo) == "?? notes.txt\0"
    assert "line five" in (yard.repo.root / "a.py").read_text()
    assert (yard.repo.root / "notes.txt").read_text() == "untracked\n"


def test_a_rollback_refuses_a_dirty_checkout_too(yard: Yard) -> None:
    deployment = yard.land(change_a)
    unstaged(yard.repo.root)
    before = Untouched.of(yard.repo)
    with pytest.raises(WorktreeNotClean):
        yard.roll_back(deployment)
    assert Untouched.of(yard.repo) == before
    yard.repo.sh("git", "checkout", "--", "b.py")
    assert yard.roll_back(deployment).after == yard.repo.head
    assert status(yard.repo) == ""


@pytest.mark.parametrize("make_dirty", [None, staged_and_edited_again, in_conflict])
def test_another_branch_that_is_checked_out_stays_as_it_is(
    yard: Yard, make_dirty: Callable[[Path], None] | None
) -> None:
    prepared = yard.prepare(change_a)
    yard.repo.sh("git", "switch", "--quiet", "--create", "feature")
    if make_dirty:
        make_dirty(yard.repo.root)
    before = Untouched.of(yard.repo).but_for_refs()
    deployment = yard.deploy(prepared)
    assert yard.git.read_ref(MAIN) == deployment.after
    assert Untouched.of(yard.repo).but_for_refs() == before
    yard.roll_back(deployment)
    assert yard.git.tree_of(MAIN) == yard.git.tree_of(deployment.before)
    assert Untouched.of(yard.repo).but_for_refs() == before


def test_a_detached_head_stays_as_it_is(yard: Yard) -> None:
    prepared = yard.prepare(change_a)
    yard.repo.sh("git", "checkout", "--quiet", "--detach")
    staged_and_edited_again(yard.repo.root)
    files, head = on_disk(yard.repo.root), yard.repo.head
    deployment = yard.deploy(prepared)
    assert (on_disk(yard.repo.root), yard.repo.head) == (files, head)
    assert yard.git.read_ref(MAIN) == deployment.after


# ---- what git is in the middle of -----------------------------------------------------------------------------


def rebasing(repo: Repo) -> None:
    """Stopped in the middle, everything clean: `main` is not checked out now, and git will move it at the end."""
    repo.sh("git", "-c", "sequence.editor=sed -i 1s/pick/edit/", "rebase", "--quiet", "--interactive", "HEAD~2")


def rebasing_by_patches(repo: Repo) -> None:
    repo.sh("git", "branch", "theirs", "HEAD~1")
    repo.sh("git", "switch", "--quiet", "theirs")
    repo.commit({"a.py": "theirs\n"})
    repo.sh("git", "switch", "--quiet", "main")
    with pytest.raises(subprocess.CalledProcessError):
        repo.sh("git", "rebase", "--quiet", "--apply", "theirs")
    repo.sh("git", "checkout", "--quiet", "--force", "HEAD")


def rebasing_what_lies_above(repo: Repo) -> None:
    """`--update-refs` takes every branch on the way along."""
    repo.sh("git", "switch", "--quiet", "--create", "above")
    repo.commit({"above.py": "above\n"})
    editor = "sequence.editor=sed -i 1s/pick/edit/"
    repo.sh("git", "-c", editor, "rebase", "--quiet", "--interactive", "--update-refs", "HEAD~3")


def bisecting(repo: Repo) -> None:
    repo.sh("git", "bisect", "start", "HEAD", "HEAD~2")


def merging(repo: Repo) -> None:
    repo.sh("git", "branch", "theirs", "HEAD~1")
    repo.sh("git", "switch", "--quiet", "theirs")
    repo.commit({"theirs.py": "theirs\n"})
    repo.sh("git", "switch", "--quiet", "main")
    repo.sh("git", "merge", "--quiet", "--no-commit", "--no-ff", "--strategy=ours", "theirs")


def picking(repo: Repo) -> None:
    repo.sh("git", "branch", "theirs", "HEAD~1")
    repo.sh("git", "switch", "--quiet", "theirs")
    repo.commit({"a.py": "theirs\n"})
    repo.sh("git", "switch", "--quiet", "main")
    with pytest.raises(subprocess.CalledProcessError):
        repo.sh("git", "cherry-pick", "theirs")
    repo.sh("git", "checkout", "--quiet", "--force", "HEAD", "--", ".")


UNDER_WAY: dict[Callable[[Repo], None], str] = {
    rebasing: "main is being rebased",
    rebasing_by_patches: "main is being rebased",
    rebasing_what_lies_above: "main is being rebased",
    bisecting: "a bisection of main is under way",
    merging: "a merge is under way",
    picking: "a cherry-pick is under way",
}


@pytest.mark.parametrize("begin", UNDER_WAY, ids=lambda begun: begun.__name__)
@pytest.mark.parametrize("linked", [False, True], ids=["here", "in a linked worktree"])
def test_what_git_has_begun_with_the_branch_is_not_broken(
    yard: Yard, begin: Callable[[Repo], None], linked: bool
) -> None:
    yard.repo.commit({"c.py": "c\n"})
    yard.repo.commit({"a.py": (yard.repo.root / "a.py").read_text() + "line 11\n"})
    prepared = yard.prepare(change_a)
    repo = yard.repo
    if linked:
        repo.sh("git", "switch", "--quiet", "--create", "elsewhere")
        repo.sh("git", "worktree", "add", "--quiet", str(repo.root.parent / "second"), "main")
        repo = Repo(repo.root.parent / "second")
    begin(repo)
    assert status(repo) == ""
    with pytest.raises(WorktreeNotClean, match=UNDER_WAY[begin]) as refusal:
        yard.deploy(prepared)
    assert "finish or abort it" in refusal.value.remedy
    assert yard.git.read_ref(MAIN) == prepared.patch.base


def test_what_git_has_begun_with_another_branch_is_no_hindrance(yard: Yard) -> None:
    yard.repo.commit({"c.py": "c\n"})
    yard.repo.commit({"d.py": "d\n"})
    prepared = yard.prepare(change_a)
    yard.repo.sh("git", "switch", "--quiet", "--create", "mainly")
    rebasing(yard.repo)
    assert yard.deploy(prepared).after == yard.git.read_ref(MAIN)


def test_a_rebase_in_a_worktree_that_was_deleted_by_hand_is_no_hindrance(yard: Yard) -> None:
    yard.repo.commit({"c.py": "c\n"})
    yard.repo.commit({"d.py": "d\n"})
    prepared = yard.prepare(change_a)
    yard.repo.sh("git", "switch", "--quiet", "--create", "elsewhere")
    second = Repo(yard.repo.root.parent / "second")
    yard.repo.sh("git", "worktree", "add", "--quiet", str(second.root), "main")
    rebasing(second)
    second.root.rename(second.root.parent / "moved away")
    assert yard.deploy(prepared).after == yard.git.read_ref(MAIN)


def test_a_branch_of_its_own_that_is_being_rebased_is_not_removed(yard: Yard) -> None:
    deployment = yard.deploy(yard.prepare(change_a, "branch"))
    yard.repo.sh("git", "switch", "--quiet", f"whet/{PROPOSAL}")
    yard.repo.sh("git", "-c", "sequence.editor=sed -i 1s/pick/edit/", "rebase", "--quiet", "--interactive", "HEAD~1")
    with pytest.raises(WorktreeNotClean, match="is being rebased"):
        yard.roll_back(deployment)
    assert yard.git.read_ref(branch_of(PROPOSAL)) == deployment.after


@pytest.fixture
def linked_worktree(yard: Yard) -> Repo:
    """`main` in a worktree of its own, something else in the first one."""
    yard.repo.sh("git", "switch", "--quiet", "--create", "feature")
    folder = yard.repo.root.parent / "with space and ü"
    yard.repo.sh("git", "worktree", "add", "--quiet", str(folder), "main")
    return Repo(folder)


def test_a_linked_worktree_follows(yard: Yard, linked_worktree: Repo) -> None:
    files = on_disk(yard.repo.root)
    deployment = yard.land(change_a)
    assert linked_worktree.head == deployment.after
    assert status(linked_worktree) == ""
    assert "line five" in (linked_worktree.root / "a.py").read_text()
    assert on_disk(yard.repo.root) == files
    yard.roll_back(deployment)
    assert status(linked_worktree) == ""
    assert "line five" not in (linked_worktree.root / "a.py").read_text()


def test_a_dirty_linked_worktree_refuses(yard: Yard, linked_worktree: Repo) -> None:
    prepared = yard.prepare(change_a)
    staged_and_edited_again(linked_worktree.root)
    before = Untouched.of(linked_worktree)
    with pytest.raises(WorktreeNotClean, match="with space"):
        yard.deploy(prepared)
    assert Untouched.of(linked_worktree) == before


def test_a_linked_worktree_that_was_deleted_by_hand_is_no_hindrance(yard: Yard, linked_worktree: Repo) -> None:
    prepared = yard.prepare(change_a)
    linked_worktree.root.rename(linked_worktree.root.parent / "moved away")
    assert yard.deploy(prepared).after == yard.git.read_ref(MAIN)


def test_two_checkouts_of_the_branch_follow_or_neither_does(yard: Yard) -> None:
    second = Repo(yard.repo.root.parent / "second")
    yard.repo.sh("git", "worktree", "add", "--quiet", "--force", str(second.root), "main")
    deployment = yard.land(change_a)
    for repo in (yard.repo, second):
        assert (repo.head, status(repo)) == (deployment.after, "")
    # What only the second cannot take: git's own lock says that somebody is at work there.
    lock = yard.repo.root / ".git" / "worktrees" / "second" / "index.lock"
    lock.touch()
    with pytest.raises(WorktreeNotClean):
        yard.roll_back(deployment)
    lock.unlink()
    for repo in (yard.repo, second):
        assert (repo.head, status(repo)) == (deployment.after, "")
    yard.roll_back(deployment)
    for repo in (yard.repo, second):
        assert status(repo) == ""
        assert "line five" not in (repo.root / "a.py").read_text()


@pytest.mark.parametrize("ignored", [False, True], ids=["untracked", "ignored"])
@pytest.mark.parametrize("where", ["new/file.py", "new", "new/file.py/inside"])
def test_a_file_in_the_way_of_a_new_one_refuses(yard: Yard, where: str, ignored: bool) -> None:
    if ignored:
        yard.repo.commit({".gitignore": "new\n"}, "ignore it")
    prepared = yard.prepare(add_new)
    yard.repo.write({where: "precious\n"})
    before = Untouched.of(yard.repo)
    with pytest.raises(WorktreeNotClean) as refusal:
        yard.deploy(prepared)
    assert f"in the way in {yard.repo.root}: {where}" in refusal.value.message
    assert Untouched.of(yard.repo) == before


def test_a_link_in_the_way_of_a_new_folder_refuses(yard: Yard, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    prepared = yard.prepare(add_new)
    (yard.repo.root / "new").symlink_to(outside)
    with pytest.raises(WorktreeNotClean):
        yard.deploy(prepared)
    assert list(outside.iterdir()) == []
    assert (yard.repo.root / "new").is_symlink()


def test_an_empty_folder_is_not_in_the_way(yard: Yard) -> None:
    prepared = yard.prepare(add_new)
    (yard.repo.root / "new" / "file.py").mkdir(parents=True)
    yard.deploy(prepared)
    assert (yard.repo.root / "new" / "file.py").read_text() == "new\n"
    assert status(yard.repo) == ""


def test_untracked_files_survive_in_a_folder_whose_files_go(yard: Yard) -> None:
    yard.repo.commit({"old/a.py": "1\n", ".gitignore": "*.log\n"})
    prepared = yard.prepare(lambda root: (root / "old" / "a.py").unlink())
    yard.repo.write({"old/mine.txt": "mine\n", "old/b.log": "log\n"})
    deployment = yard.deploy(prepared)
    assert sorted(path.name for path in (yard.repo.root / "old").iterdir()) == ["b.log", "mine.txt"]
    yard.roll_back(deployment)
    assert sorted(path.name for path in (yard.repo.root / "old").iterdir()) == ["a.py", "b.log", "mine.txt"]


def test_an_edit_between_the_look_and_the_move_is_kept(yard: Yard) -> None:
    """The file changes after whet found the checkout clean: git refuses, and the branch goes back."""
    prepared = yard.prepare(change_a)
    git, moved = yard.git, yard.git.move_ref

    def move_ref(ref: str, new: str, old: str, reason: str) -> None:
        moved(ref, new, old, reason)
        (yard.repo.root / "a.py").write_text("typed just now\n")

    git.move_ref = move_ref  # type: ignore[method-assign]
    with pytest.raises(WorktreeNotClean, match="changed meanwhile"):
        yard.deploy(prepared)
    assert (yard.repo.root / "a.py").read_text() == "typed just now\n"
    assert yard.repo.head == prepared.patch.base
    assert status(yard.repo).split() == ["M", "a.py\0"]


def test_a_branch_that_became_an_alias_moves_no_other(yard: Yard) -> None:
    """`main` is checked out and dirty; the branch that is deployed to is made to stand for it after the proof."""
    prepared = yard.prepare(change_a)
    staged(yard.repo.root)
    yard.repo.sh("git", "symbolic-ref", "refs/heads/alias", MAIN)
    before = Untouched.of(yard.repo).but_for_refs()
    alias = replace(prepared, intent=replace(prepared.intent, ref="refs/heads/alias"))
    deployment = yard.deploy(alias)
    assert yard.git.read_ref(MAIN) == prepared.patch.base
    assert yard.git.read_ref("refs/heads/alias") == deployment.after
    assert Untouched.of(yard.repo).but_for_refs() == before


def test_removing_an_alias_removes_no_other_branch(yard: Yard) -> None:
    yard.repo.sh("git", "symbolic-ref", "refs/heads/alias", MAIN)
    yard.git.remove_ref("refs/heads/alias", yard.repo.head)
    assert yard.repo.sh("git", "for-each-ref", "--format=%(refname)", "refs/heads") == MAIN


# ---- a branch of its own --------------------------------------------------------------------------------------


def test_the_branch_strategy_moves_nothing_else(yard: Yard) -> None:
    prepared = yard.prepare(change_a, "branch")
    staged_and_edited_again(yard.repo.root)
    before = Untouched.of(yard.repo).but_for_refs()
    deployment = yard.deploy(prepared)
    assert yard.git.read_ref(branch_of(PROPOSAL)) == deployment.after
    assert yard.git.read_ref(MAIN) == deployment.before
    done = yard.roll_back(deployment)
    assert set(done.after) == {"0"}
    assert set(yard.git.read_ref(branch_of(PROPOSAL))) == {"0"}
    assert Untouched.of(yard.repo).but_for_refs() == before


def test_a_branch_of_the_same_name_that_is_not_whets_is_left_alone(yard: Yard) -> None:
    prepared = yard.prepare(change_a, "branch")
    yard.repo.sh("git", "branch", f"whet/{PROPOSAL}")
    with pytest.raises(Refused, match="is not whet's"):
        yard.deploy(prepared)
    assert yard.git.read_ref(branch_of(PROPOSAL)) == yard.repo.head


def test_commits_that_a_person_put_on_the_branch_are_not_lost_in_a_rollback(yard: Yard) -> None:
    deployment = yard.deploy(yard.prepare(change_a, "branch"))
    yard.repo.sh("git", "switch", "--quiet", f"whet/{PROPOSAL}")
    mine = yard.repo.commit({"mine.py": "mine\n"})
    yard.repo.sh("git", "switch", "--quiet", "main")
    with pytest.raises(Refused, match="would be lost"):
        yard.roll_back(deployment)
    assert yard.git.read_ref(branch_of(PROPOSAL)) == mine


def test_a_branch_that_is_checked_out_is_not_pulled_from_under_its_files(yard: Yard) -> None:
    deployment = yard.deploy(yard.prepare(change_a, "branch"))
    yard.repo.sh("git", "switch", "--quiet", f"whet/{PROPOSAL}")
    before = Untouched.of(yard.repo)
    with pytest.raises(WorktreeNotClean, match="is checked out in"):
        yard.roll_back(deployment)
    yard.git.drop_branch(branch_of(PROPOSAL), deployment.after)
    assert Untouched.of(yard.repo) == before
    yard.repo.sh("git", "switch", "--quiet", "main")
    yard.roll_back(deployment)
    assert set(yard.git.read_ref(branch_of(PROPOSAL))) == {"0"}
