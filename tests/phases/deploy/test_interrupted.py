"""A deployment interrupted by a crash is finished by the next call; if the base moved, nothing happens."""

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.phases.deploy.conftest import MakeHarness
from tests.phases.deploy.harness import MAIN, Harness, Prepared, Untouched, listed, on_disk, status
from whet.domain.deployment import Intent
from whet.errors import BaseMoved, WorktreeNotClean
from whet.git.checkout import Checkout
from whet.phases.deploy.merge import Merge

FILES: dict[str, str | bytes] = {
    "a.py": "one\n",
    "b.bin": bytes(range(256)),
    "crlf.txt": b"one\r\ntwo\r\n",
    "gone.py": "gone\n",
    "run.sh": "#!/bin/sh\n",
    "tofolder": "file\n",
    "tofile/x": "x\n",
    "tofile/y": "y\n",
    "tolink": "target",
    ".gitattributes": "* text=auto\n",
}


def everything(root: Path) -> None:
    """Make every kind of change: edit, add, delete, mode, link, folder for file and file for folder."""
    (root / "a.py").write_text("two\n")
    (root / "b.bin").write_bytes(bytes(range(255, -1, -1)))
    (root / "gone.py").unlink()
    (root / "run.sh").chmod(0o755)
    (root / "tofolder").unlink()
    (root / "tofolder").mkdir()
    (root / "tofolder" / "x").write_text("in a folder\n")
    (root / "tofile" / "x").unlink()
    (root / "tofile" / "y").unlink()
    (root / "tofile").rmdir()
    (root / "tofile").write_text("now a file\n")
    (root / "tolink").unlink()
    (root / "tolink").symlink_to("target")
    (root / "new").mkdir()
    (root / "new" / "file.py").write_text("new\n")


@pytest.fixture
def broad(make_harness: MakeHarness) -> Harness:
    """A harness in which a change touches a path of every kind; one file was committed with CRLF line endings."""
    harness = make_harness(FILES)
    blob = harness.git.ask("hash-object", "-w", "--no-filters", "--stdin", stdin=b"one\r\ntwo\r\n").decode().strip()
    harness.repo.sh("git", "update-index", "--cacheinfo", f"100644,{blob},crlf.txt")
    harness.repo.sh("git", "commit", "--quiet", "--allow-empty", "--message", "as it is")
    harness.repo.sh("git", "checkout", "--quiet", "--force", "HEAD")
    assert status(harness.repo) == ""
    return harness


@pytest.fixture
def prepared(broad: Harness) -> Prepared:
    tree = broad.tree_with(everything)
    return broad.prepare(broad.git.with_files(tree, {"crlf.txt": b"one\r\nthree\r\n"}))


class Died(BaseException):
    """Simulates the sudden death of the process."""


class DiesInFollow(Merge):
    """Moves the ref and dies before, during or after the update of the checkout."""

    def __init__(self, harness: Harness, before_it_dies: Callable[[], None]) -> None:
        super().__init__(harness.kit)
        self._last_act = before_it_dies

    def deploy(self, intent: Intent, commit: str) -> None:
        original = Checkout.follow

        def follow(checkout: Checkout, old: str, new: str) -> None:
            self._last_act()
            raise Died

        Checkout.follow = follow  # type: ignore[method-assign, assignment]
        try:
            super().deploy(intent, commit)
        finally:
            Checkout.follow = original  # type: ignore[method-assign]


def crash(harness: Harness, prepared: Prepared, last_act: Callable[[], None] = lambda: None) -> None:
    with pytest.raises(Died):
        harness.deploy(prepared, DiesInFollow(harness, last_act))
    assert harness.git.tree_of(MAIN) == prepared.patch.tree


def assert_finished(harness: Harness, prepared: Prepared) -> None:
    first = harness.deploy(prepared)
    assert harness.git.read_ref(MAIN) == first.after
    assert status(harness.repo) == ""
    assert harness.repo.sh("git", "diff", "--stat", "HEAD") == ""
    second = harness.deploy(prepared)
    assert (second.id, second.after) == (first.id, first.after)
    assert harness.repo.sh("git", "rev-list", "--count", f"{prepared.patch.base}..{MAIN}") == "1"
    assert harness.git.tree_of(harness.roll_back(first).after) == harness.git.tree_of(prepared.patch.base)
    assert status(harness.repo) == ""


def test_a_crash_between_ref_and_checkout_is_finished(broad: Harness, prepared: Prepared) -> None:
    crash(broad, prepared)
    assert (broad.repo.root / "a.py").read_text() == "one\n"
    assert_finished(broad, prepared)


PATHS = ("a.py", "b.bin", "crlf.txt", "gone.py", "run.sh", "tofolder", "tofile", "tolink", "new")


@pytest.mark.parametrize("written", [PATHS, PATHS[::2], PATHS[1::2], PATHS[:4], PATHS[4:]], ids=len)
def test_a_crash_during_the_checkout_is_finished(broad: Harness, prepared: Prepared, written: tuple[str, ...]) -> None:
    """git writes the files first and the index last, so some files are new while the index is old."""

    def some_files() -> None:
        for name in written:
            write_as_git_would(broad, prepared.patch.tree, name)

    crash(broad, prepared, some_files)
    assert_finished(broad, prepared)


def write_as_git_would(harness: Harness, tree: str, name: str) -> None:
    """Write one path of the new tree to disk without touching the index."""
    index = harness.repo.root / ".git" / "index"
    saved = index.read_bytes()
    if (harness.repo.root / name).is_dir():
        for inside in (harness.repo.root / name).iterdir():
            inside.unlink()
        (harness.repo.root / name).rmdir()
    else:
        (harness.repo.root / name).unlink(missing_ok=True)
    if harness.git.try_ask("cat-file", "-e", f"{tree}:{name}") is not None:
        harness.repo.sh("git", "-c", "core.hooksPath=/dev/null", "checkout", tree, "--", name)
    index.write_bytes(saved)


def test_a_crash_between_checkout_and_record_is_finished(broad: Harness, prepared: Prepared) -> None:
    def follow() -> None:
        broad.repo.sh("git", "reset", "--quiet", "--hard", MAIN)

    crash(broad, prepared, follow)
    assert_finished(broad, prepared)


def test_a_stale_index_lock_refuses_and_moves_the_branch_back(broad: Harness, prepared: Prepared) -> None:
    """A stale index.lock keeps git from updating the checkout."""
    lock = broad.repo.root / ".git" / "index.lock"
    before = Untouched.of(broad.repo)
    crash(broad, prepared, lock.touch)
    with pytest.raises(WorktreeNotClean, match=r"index\.lock"):
        broad.deploy(prepared)
    assert Untouched.of(broad.repo) == before
    lock.unlink()
    assert_finished(broad, prepared)


def test_an_edit_made_after_the_crash_is_kept(broad: Harness, prepared: Prepared) -> None:
    crash(broad, prepared)
    (broad.repo.root / "a.py").write_text("typed after the power came back\n")
    with pytest.raises(WorktreeNotClean):
        broad.deploy(prepared)
    assert (broad.repo.root / "a.py").read_text() == "typed after the power came back\n"
    assert broad.repo.head == prepared.patch.base
    assert status(broad.repo).split() == ["M", "a.py\0"]


def test_repeating_a_deployment_keeps_unrelated_edits(broad: Harness, prepared: Prepared) -> None:
    first = broad.deploy(prepared)
    (broad.repo.root / "a.py").write_text("the next idea\n")
    assert broad.deploy(prepared).after == first.after
    assert (broad.repo.root / "a.py").read_text() == "the next idea\n"
    assert broad.repo.head == first.after


# ---- compare and swap -----------------------------------------------------------------------------------------


def test_a_branch_that_moved_since_the_proof_is_not_moved(broad: Harness, prepared: Prepared) -> None:
    later = broad.repo.commit({"later.py": "later\n"})
    before = Untouched.of(broad.repo)
    with pytest.raises(BaseMoved) as moved:
        broad.deploy(prepared)
    assert later[:10] in moved.value.message
    assert prepared.patch.base[:10] in moved.value.message
    assert Untouched.of(broad.repo) == before


def test_a_commit_made_by_another_process_at_the_last_moment_is_not_overwritten(
    broad: Harness, prepared: Prepared
) -> None:
    """Another process commits between whet's check and its move."""
    broad.repo.sh("git", "switch", "--quiet", "--create", "feature")
    asked, other = broad.git.read_ref, broad.git.commit(
        broad.git.tree_of(MAIN), prepared.patch.base, "theirs", "x <x@x>", prepared.intent.at
    )  # fmt: skip

    def read_ref(ref: str) -> str:
        seen = asked(ref)
        if seen == prepared.patch.base and ref == MAIN:
            broad.repo.sh("git", "update-ref", MAIN, other)
        return seen

    broad.git.read_ref = read_ref  # type: ignore[method-assign]
    with pytest.raises(BaseMoved):
        broad.deploy(prepared)
    assert broad.repo.sh("git", "rev-parse", MAIN) == other


def test_a_branch_that_moved_to_another_commit_of_the_same_tree_is_refused(broad: Harness, prepared: Prepared) -> None:
    broad.repo.sh("git", "commit", "--quiet", "--amend", "--message", "same tree, other commit")
    with pytest.raises(BaseMoved):
        broad.deploy(prepared)


def test_a_deleted_branch_is_not_created_again(broad: Harness, prepared: Prepared) -> None:
    broad.repo.sh("git", "switch", "--quiet", "--create", "feature")
    broad.repo.sh("git", "branch", "--quiet", "-D", "main")
    with pytest.raises(BaseMoved):
        broad.deploy(prepared)
    assert set(broad.git.read_ref(MAIN)) == {"0"}


def test_the_reflog_names_whet_and_the_proposal(broad: Harness, prepared: Prepared) -> None:
    broad.deploy(prepared)
    assert broad.repo.sh("git", "reflog", "-1", "--format=%gs", "main") == f"whet: {prepared.intent.proposal}"


def test_the_same_intent_gives_the_same_commit(broad: Harness, prepared: Prepared) -> None:
    tree = listed(broad.repo, MAIN)
    files = on_disk(broad.repo.root)
    first = broad.deploy(prepared)
    broad.repo.sh("git", "reset", "--quiet", "--hard", prepared.patch.base)
    assert (listed(broad.repo, MAIN), on_disk(broad.repo.root)) == (tree, files)
    assert broad.deploy(prepared).after == first.after
