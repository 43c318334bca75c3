"""Uncommitted work of a person is never touched; if it is in the way, whet refuses."""

import subprocess
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from tests.phases.deploy.harness import MAIN, PROPOSAL, Harness, Untouched, on_disk, status
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
    """Stage a new file and delete it from disk."""
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
    """Make the same edit as the deployment, uncommitted."""
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
def test_a_dirty_checkout_is_refused_and_not_touched(harness: Harness, make_dirty: Callable[[Path], None]) -> None:
    (harness.repo.root / "notes.txt").write_text("untracked\n")
    prepared = harness.prepare(change_a)
    make_dirty(harness.repo.root)
    before = Untouched.of(harness.repo)
    with pytest.raises(WorktreeNotClean) as refusal:
        harness.deploy(prepared)
    assert refusal.value.code == "worktree_not_clean"
    assert str(harness.repo.root) in refusal.value.message
    assert "commit or stash" in refusal.value.remedy
    assert Untouched.of(harness.repo) == before


def test_the_refusal_names_dirty_files_by_their_full_paths(harness: Harness) -> None:
    prepared = harness.prepare(change_a)
    renamed(harness.repo.root)
    with pytest.raises(WorktreeNotClean, match=r"changes: b\.py, renamed\.py$"):
        harness.deploy(prepared)


def test_unrelated_untracked_files_do_not_make_a_checkout_dirty(harness: Harness) -> None:
    prepared = harness.prepare(change_a)
    (harness.repo.root / "notes.txt").write_text("untracked\n")
    harness.deploy(prepared)
    assert status(harness.repo) == "?? notes.txt\0"
    assert "line five" in (harness.repo.root / "a.py").read_text()
    assert (harness.repo.root / "notes.txt").read_text() == "untracked\n"


def test_a_rollback_refuses_a_dirty_checkout_too(harness: Harness) -> None:
    deployment = harness.land(change_a)
    unstaged(harness.repo.root)
    before = Untouched.of(harness.repo)
    with pytest.raises(WorktreeNotClean):
        harness.roll_back(deployment)
    assert Untouched.of(harness.repo) == before
    harness.repo.sh("git", "checkout", "--", "b.py")
    assert harness.roll_back(deployment).after == harness.repo.head
    assert status(harness.repo) == ""


@pytest.mark.parametrize("make_dirty", [None, staged_and_edited_again, in_conflict])
def test_a_checkout_of_another_branch_is_not_touched(
    harness: Harness, make_dirty: Callable[[Path], None] | None
) -> None:
    prepared = harness.prepare(change_a)
    harness.repo.sh("git", "switch", "--quiet", "--create", "feature")
    if make_dirty:
        make_dirty(harness.repo.root)
    before = Untouched.of(harness.repo).but_for_refs()
    deployment = harness.deploy(prepared)
    assert harness.git.read_ref(MAIN) == deployment.after
    assert Untouched.of(harness.repo).but_for_refs() == before
    harness.roll_back(deployment)
    assert harness.git.tree_of(MAIN) == harness.git.tree_of(deployment.before)
    assert Untouched.of(harness.repo).but_for_refs() == before


def test_a_detached_head_is_not_touched(harness: Harness) -> None:
    prepared = harness.prepare(change_a)
    harness.repo.sh("git", "checkout", "--quiet", "--detach")
    staged_and_edited_again(harness.repo.root)
    files, head = on_disk(harness.repo.root), harness.repo.head
    deployment = harness.deploy(prepared)
    assert (on_disk(harness.repo.root), harness.repo.head) == (files, head)
    assert harness.git.read_ref(MAIN) == deployment.after


# ---- what git is in the middle of -----------------------------------------------------------------------------


def rebasing(repo: Repo) -> None:
    """Stop a rebase in the middle with a clean worktree; `main` is not checked out, and git will move it at the end."""
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
    """Rebase a branch above `main` with `--update-refs`, which moves every branch on the way."""
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
def test_a_git_operation_under_way_on_the_branch_refuses(
    harness: Harness, begin: Callable[[Repo], None], linked: bool
) -> None:
    harness.repo.commit({"c.py": "c\n"})
    harness.repo.commit({"a.py": (harness.repo.root / "a.py").read_text() + "line 11\n"})
    prepared = harness.prepare(change_a)
    repo = harness.repo
    if linked:
        repo.sh("git", "switch", "--quiet", "--create", "elsewhere")
        repo.sh("git", "worktree", "add", "--quiet", str(repo.root.parent / "second"), "main")
        repo = Repo(repo.root.parent / "second")
    begin(repo)
    assert status(repo) == ""
    with pytest.raises(WorktreeNotClean, match=UNDER_WAY[begin]) as refusal:
        harness.deploy(prepared)
    assert "finish or abort it" in refusal.value.remedy
    assert harness.git.read_ref(MAIN) == prepared.patch.base


def test_a_git_operation_under_way_on_another_branch_does_not_matter(harness: Harness) -> None:
    harness.repo.commit({"c.py": "c\n"})
    harness.repo.commit({"d.py": "d\n"})
    prepared = harness.prepare(change_a)
    harness.repo.sh("git", "switch", "--quiet", "--create", "mainly")
    rebasing(harness.repo)
    assert harness.deploy(prepared).after == harness.git.read_ref(MAIN)


def test_a_rebase_in_a_worktree_deleted_by_hand_does_not_matter(harness: Harness) -> None:
    harness.repo.commit({"c.py": "c\n"})
    harness.repo.commit({"d.py": "d\n"})
    prepared = harness.prepare(change_a)
    harness.repo.sh("git", "switch", "--quiet", "--create", "elsewhere")
    second = Repo(harness.repo.root.parent / "second")
    harness.repo.sh("git", "worktree", "add", "--quiet", str(second.root), "main")
    rebasing(second)
    second.root.rename(second.root.parent / "moved away")
    assert harness.deploy(prepared).after == harness.git.read_ref(MAIN)


def test_a_rollback_does_not_remove_a_branch_that_is_being_rebased(harness: Harness) -> None:
    deployment = harness.deploy(harness.prepare(change_a, "branch"))
    harness.repo.sh("git", "switch", "--quiet", f"whet/{PROPOSAL}")
    harness.repo.sh("git", "-c", "sequence.editor=sed -i 1s/pick/edit/", "rebase", "--quiet", "--interactive", "HEAD~1")
    with pytest.raises(WorktreeNotClean, match="is being rebased"):
        harness.roll_back(deployment)
    assert harness.git.read_ref(branch_of(PROPOSAL)) == deployment.after


@pytest.fixture
def linked_worktree(harness: Harness) -> Repo:
    """`main` in a linked worktree, and another branch in the first one."""
    harness.repo.sh("git", "switch", "--quiet", "--create", "feature")
    folder = harness.repo.root.parent / "with space and ü"
    harness.repo.sh("git", "worktree", "add", "--quiet", str(folder), "main")
    return Repo(folder)


def test_a_linked_worktree_is_updated(harness: Harness, linked_worktree: Repo) -> None:
    files = on_disk(harness.repo.root)
    deployment = harness.land(change_a)
    assert linked_worktree.head == deployment.after
    assert status(linked_worktree) == ""
    assert "line five" in (linked_worktree.root / "a.py").read_text()
    assert on_disk(harness.repo.root) == files
    harness.roll_back(deployment)
    assert status(linked_worktree) == ""
    assert "line five" not in (linked_worktree.root / "a.py").read_text()


def test_a_dirty_linked_worktree_refuses(harness: Harness, linked_worktree: Repo) -> None:
    prepared = harness.prepare(change_a)
    staged_and_edited_again(linked_worktree.root)
    before = Untouched.of(linked_worktree)
    with pytest.raises(WorktreeNotClean, match="with space"):
        harness.deploy(prepared)
    assert Untouched.of(linked_worktree) == before


def test_a_linked_worktree_deleted_by_hand_does_not_matter(harness: Harness, linked_worktree: Repo) -> None:
    prepared = harness.prepare(change_a)
    linked_worktree.root.rename(linked_worktree.root.parent / "moved away")
    assert harness.deploy(prepared).after == harness.git.read_ref(MAIN)


def test_both_checkouts_of_the_branch_are_updated_or_neither(harness: Harness) -> None:
    second = Repo(harness.repo.root.parent / "second")
    harness.repo.sh("git", "worktree", "add", "--quiet", "--force", str(second.root), "main")
    deployment = harness.land(change_a)
    for repo in (harness.repo, second):
        assert (repo.head, status(repo)) == (deployment.after, "")
    # What only the second cannot take: git's own lock says that somebody is at work there.
    lock = harness.repo.root / ".git" / "worktrees" / "second" / "index.lock"
    lock.touch()
    with pytest.raises(WorktreeNotClean):
        harness.roll_back(deployment)
    lock.unlink()
    for repo in (harness.repo, second):
        assert (repo.head, status(repo)) == (deployment.after, "")
    harness.roll_back(deployment)
    for repo in (harness.repo, second):
        assert status(repo) == ""
        assert "line five" not in (repo.root / "a.py").read_text()


@pytest.mark.parametrize("ignored", [False, True], ids=["untracked", "ignored"])
@pytest.mark.parametrize("where", ["new/file.py", "new", "new/file.py/inside"])
def test_an_untracked_file_in_the_way_of_a_new_one_refuses(harness: Harness, where: str, ignored: bool) -> None:
    if ignored:
        harness.repo.commit({".gitignore": "new\n"}, "ignore it")
    prepared = harness.prepare(add_new)
    harness.repo.write({where: "precious\n"})
    before = Untouched.of(harness.repo)
    with pytest.raises(WorktreeNotClean) as refusal:
        harness.deploy(prepared)
    assert f"in the way in {harness.repo.root}: {where}" in refusal.value.message
    assert Untouched.of(harness.repo) == before


def test_a_link_in_the_way_of_a_new_folder_refuses(harness: Harness, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    prepared = harness.prepare(add_new)
    (harness.repo.root / "new").symlink_to(outside)
    with pytest.raises(WorktreeNotClean):
        harness.deploy(prepared)
    assert list(outside.iterdir()) == []
    assert (harness.repo.root / "new").is_symlink()


def test_an_empty_folder_is_not_in_the_way(harness: Harness) -> None:
    prepared = harness.prepare(add_new)
    (harness.repo.root / "new" / "file.py").mkdir(parents=True)
    harness.deploy(prepared)
    assert (harness.repo.root / "new" / "file.py").read_text() == "new\n"
    assert status(harness.repo) == ""


def test_untracked_files_survive_in_a_folder_whose_tracked_files_are_deleted(harness: Harness) -> None:
    harness.repo.commit({"old/a.py": "1\n", ".gitignore": "*.log\n"})
    prepared = harness.prepare(lambda root: (root / "old" / "a.py").unlink())
    harness.repo.write({"old/mine.txt": "mine\n", "old/b.log": "log\n"})
    deployment = harness.deploy(prepared)
    assert sorted(path.name for path in (harness.repo.root / "old").iterdir()) == ["b.log", "mine.txt"]
    harness.roll_back(deployment)
    assert sorted(path.name for path in (harness.repo.root / "old").iterdir()) == ["a.py", "b.log", "mine.txt"]


def test_an_edit_made_between_the_check_and_the_move_is_kept(harness: Harness) -> None:
    """The file changes after whet found the checkout clean: git refuses, and the branch is moved back."""
    prepared = harness.prepare(change_a)
    git, moved = harness.git, harness.git.move_ref

    def move_ref(ref: str, new: str, old: str, reason: str) -> None:
        moved(ref, new, old, reason)
        (harness.repo.root / "a.py").write_text("typed just now\n")

    git.move_ref = move_ref  # type: ignore[method-assign]
    with pytest.raises(WorktreeNotClean, match="changed meanwhile"):
        harness.deploy(prepared)
    assert (harness.repo.root / "a.py").read_text() == "typed just now\n"
    assert harness.repo.head == prepared.patch.base
    assert status(harness.repo).split() == ["M", "a.py\0"]


def test_a_branch_that_became_a_symbolic_ref_moves_no_other_branch(harness: Harness) -> None:
    """`main` is checked out and dirty; after the proof, the target branch is made a symbolic ref to it."""
    prepared = harness.prepare(change_a)
    staged(harness.repo.root)
    harness.repo.sh("git", "symbolic-ref", "refs/heads/alias", MAIN)
    before = Untouched.of(harness.repo).but_for_refs()
    alias = replace(prepared, intent=replace(prepared.intent, ref="refs/heads/alias"))
    deployment = harness.deploy(alias)
    assert harness.git.read_ref(MAIN) == prepared.patch.base
    assert harness.git.read_ref("refs/heads/alias") == deployment.after
    assert Untouched.of(harness.repo).but_for_refs() == before


def test_removing_a_symbolic_ref_removes_no_other_branch(harness: Harness) -> None:
    harness.repo.sh("git", "symbolic-ref", "refs/heads/alias", MAIN)
    harness.git.remove_ref("refs/heads/alias", harness.repo.head)
    assert harness.repo.sh("git", "for-each-ref", "--format=%(refname)", "refs/heads") == MAIN


# ---- a branch of its own --------------------------------------------------------------------------------------


def test_the_branch_strategy_moves_nothing_else(harness: Harness) -> None:
    prepared = harness.prepare(change_a, "branch")
    staged_and_edited_again(harness.repo.root)
    before = Untouched.of(harness.repo).but_for_refs()
    deployment = harness.deploy(prepared)
    assert harness.git.read_ref(branch_of(PROPOSAL)) == deployment.after
    assert harness.git.read_ref(MAIN) == deployment.before
    done = harness.roll_back(deployment)
    assert set(done.after) == {"0"}
    assert set(harness.git.read_ref(branch_of(PROPOSAL))) == {"0"}
    assert Untouched.of(harness.repo).but_for_refs() == before


def test_a_branch_of_the_same_name_that_is_not_from_whet_is_not_touched(harness: Harness) -> None:
    prepared = harness.prepare(change_a, "branch")
    harness.repo.sh("git", "branch", f"whet/{PROPOSAL}")
    with pytest.raises(Refused, match="its last commit is not of this proposal"):
        harness.deploy(prepared)
    assert harness.git.read_ref(branch_of(PROPOSAL)) == harness.repo.head


def test_a_rollback_refuses_to_drop_commits_that_a_person_added_to_the_branch(harness: Harness) -> None:
    deployment = harness.deploy(harness.prepare(change_a, "branch"))
    harness.repo.sh("git", "switch", "--quiet", f"whet/{PROPOSAL}")
    mine = harness.repo.commit({"mine.py": "mine\n"})
    harness.repo.sh("git", "switch", "--quiet", "main")
    with pytest.raises(Refused, match="would be lost"):
        harness.roll_back(deployment)
    assert harness.git.read_ref(branch_of(PROPOSAL)) == mine


def test_a_branch_that_is_checked_out_is_neither_moved_nor_removed(harness: Harness) -> None:
    deployment = harness.deploy(harness.prepare(change_a, "branch"))
    harness.repo.sh("git", "switch", "--quiet", f"whet/{PROPOSAL}")
    before = Untouched.of(harness.repo)
    with pytest.raises(WorktreeNotClean, match="is checked out in"):
        harness.roll_back(deployment)
    harness.git.drop_branch(branch_of(PROPOSAL), deployment.after)
    assert Untouched.of(harness.repo) == before
    harness.repo.sh("git", "switch", "--quiet", "main")
    harness.roll_back(deployment)
    assert set(harness.git.read_ref(branch_of(PROPOSAL))) == {"0"}
