"""A snapshot that can no longer be restored is detected before anything is deployed."""

import zlib
from pathlib import Path

import pytest

from tests.phases.deploy.harness import MAIN, PROPOSAL, Harness, Prepared
from whet.domain.deployment import Snapshot
from whet.errors import Corrupt, Refused, WhetError
from whet.phases.deploy.step import rehearse, verify_snapshot


def change_a(root: Path) -> None:
    path = root / "a.py"
    path.write_text(path.read_text().replace("line 5\n", "line five\n"))


@pytest.fixture
def prepared(harness: Harness) -> Prepared:
    return harness.prepare(change_a)


def loose(harness: Harness, name: str) -> Path:
    path = harness.repo.root / ".git" / "objects" / name[:2] / name[2:]
    path.chmod(0o644)
    return path


def a_blob(snapshot: Snapshot) -> str:
    return next(saved.blob for saved in snapshot.saved if saved.path == "a.py")


def test_a_sound_snapshot_is_verified(harness: Harness, prepared: Prepared) -> None:
    verify_snapshot(prepared.snapshot, harness.git)
    assert [saved.path for saved in prepared.snapshot.saved] == ["a.py"]
    assert harness.git.read_ref(prepared.snapshot.ref) == prepared.patch.base


def test_a_snapshot_keeps_its_commit_alive(harness: Harness, prepared: Prepared) -> None:
    harness.repo.sh("git", "switch", "--quiet", "--orphan", "empty")
    harness.repo.sh("git", "branch", "--quiet", "-D", "main")
    harness.repo.sh("git", "reflog", "expire", "--expire=now", "--all")
    harness.repo.sh("git", "gc", "--quiet", "--prune=now")
    verify_snapshot(prepared.snapshot, harness.git)


def test_repeating_a_snapshot_returns_the_same_one(harness: Harness, prepared: Prepared) -> None:
    assert harness.prepare(prepared.patch.tree).snapshot == prepared.snapshot


def test_a_damaged_object_is_detected(harness: Harness, prepared: Prepared) -> None:
    loose(harness, a_blob(prepared.snapshot)).write_bytes(b"rubbish")
    with pytest.raises(Corrupt, match="missing or damaged"):
        verify_snapshot(prepared.snapshot, harness.git)
    with pytest.raises(WhetError):
        rehearse(PROPOSAL, prepared.patch, prepared.snapshot, harness.git)


def test_other_content_under_the_same_object_name_is_detected(harness: Harness, prepared: Prepared) -> None:
    loose(harness, a_blob(prepared.snapshot)).write_bytes(zlib.compress(b"blob 5\0other"))
    with pytest.raises(Corrupt, match=r"does not match its hash|missing or damaged"):
        verify_snapshot(prepared.snapshot, harness.git)


def test_a_missing_object_is_detected(harness: Harness, prepared: Prepared) -> None:
    loose(harness, a_blob(prepared.snapshot)).unlink()
    with pytest.raises(Corrupt, match="missing or damaged") as noticed:
        verify_snapshot(prepared.snapshot, harness.git)
    assert "git fsck" in noticed.value.remedy


def test_a_moved_or_deleted_snapshot_ref_is_detected(harness: Harness, prepared: Prepared) -> None:
    harness.repo.sh("git", "update-ref", "-d", prepared.snapshot.ref)
    with pytest.raises(Corrupt, match="not where it was left"):
        verify_snapshot(prepared.snapshot, harness.git)
    harness.repo.sh("git", "update-ref", prepared.snapshot.ref, harness.repo.commit({"c.py": "c\n"}))
    with pytest.raises(Corrupt, match="not where it was left"):
        verify_snapshot(prepared.snapshot, harness.git)


def test_git_replace_does_not_deceive_the_verification(harness: Harness, prepared: Prepared) -> None:
    """`git replace` shows another commit under the same hash unless git is told to ignore replacements."""
    other = harness.repo.commit({"a.py": "other\n"})
    harness.repo.sh("git", "replace", "--force", prepared.patch.base, other)
    verify_snapshot(prepared.snapshot, harness.git)
    assert harness.git.tree_of(prepared.patch.base) == prepared.snapshot.tree


def test_a_rehearsal_that_gives_another_tree_refuses(harness: Harness, prepared: Prepared) -> None:
    other = harness.git.patch(harness.repo.head, harness.git.with_files(MAIN, {"b.py": b"changed\n"}), "another")
    elsewhere = harness.repo.commit({"c.py": "c\n"})
    shifted = Snapshot(
        id=prepared.snapshot.id, ref=prepared.snapshot.ref, commit=prepared.snapshot.commit,
        tree=prepared.snapshot.tree, saved=(),
    )  # fmt: skip
    moved = harness.git.patch(elsewhere, harness.git.with_files(elsewhere, {"b.py": b"changed\n"}), "on another base")
    assert rehearse(PROPOSAL, other, shifted, harness.git).restores == shifted.tree
    with pytest.raises(Refused, match="does not restore the old tree"):
        rehearse(PROPOSAL, moved, shifted, harness.git)
