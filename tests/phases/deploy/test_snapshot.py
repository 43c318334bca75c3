"""A snapshot that can no longer be restored is noticed before anything is deployed on its strength."""

import zlib
from pathlib import Path

import pytest

from tests.phases.deploy.yard import MAIN, PROPOSAL, Prepared, Yard
from whet.domain.deployment import Snapshot
from whet.errors import Corrupt, Refused, WhetError
from whet.phases.deploy.step import rehearse, verify_snapshot


def change_a(root: Path) -> None:
    path = root / "a.py"
    path.write_text(path.read_text().replace("line 5\n", "line five\n"))


@pytest.fixture
def prepared(yard: Yard) -> Prepared:
    return yard.prepare(change_a)


def loose(yard: Yard, name: str) -> Path:
    path = yard.repo.root / ".git" / "objects" / name[:2] / name[2:]
    path.chmod(0o644)
    return path


def a_blob(snapshot: Snapshot) -> str:
    return next(saved.blob for saved in snapshot.saved if saved.path == "a.py")


def test_a_sound_snapshot_is_verified(yard: Yard, prepared: Prepared) -> None:
    verify_snapshot(prepared.snapshot, yard.git)
    assert [saved.path for saved in prepared.snapshot.saved] == ["a.py"]
    assert yard.git.read_ref(prepared.snapshot.ref) == prepared.patch.base


def test_a_snapshot_keeps_its_commit_alive(yard: Yard, prepared: Prepared) -> None:
    yard.repo.sh("git", "switch", "--quiet", "--orphan", "empty")
    yard.repo.sh("git", "branch", "--quiet", "-D", "main")
    yard.repo.sh("git", "reflog", "expire", "--expire=now", "--all")
    yard.repo.sh("git", "gc", "--quiet", "--prune=now")
    verify_snapshot(prepared.snapshot, yard.git)


def test_taking_a_snapshot_again_finds_it(yard: Yard, prepared: Prepared) -> None:
    assert yard.prepare(prepared.patch.tree).snapshot == prepared.snapshot


def test_rubbish_in_the_object_is_noticed(yard: Yard, prepared: Prepared) -> None:
    loose(yard, a_blob(prepared.snapshot)).write_bytes(b"rubbish")
    with pytest.raises(Corrupt, match="missing or damaged"):
        verify_snapshot(prepared.snapshot, yard.git)
    with pytest.raises(WhetError):
        rehearse(PROPOSAL, prepared.patch, prepared.snapshot, yard.git)


def test_another_content_under_the_same_name_is_noticed(yard: Yard, prepared: Prepared) -> None:
    loose(yard, a_blob(prepared.snapshot)).write_bytes(zlib.compress(b"blob 5\0other"))
    with pytest.raises(Corrupt, match=r"does not match its hash|missing or damaged"):
        verify_snapshot(prepared.snapshot, yard.git)


def test_a_missing_object_is_noticed(yard: Yard, prepared: Prepared) -> None:
    loose(yard, a_blob(prepared.snapshot)).unlink()
    with pytest.raises(Corrupt, match="missing or damaged") as noticed:
        verify_snapshot(prepared.snapshot, yard.git)
    assert "git fsck" in noticed.value.remedy


def test_a_moved_or_deleted_snapshot_ref_is_noticed(yard: Yard, prepared: Prepared) -> None:
    yard.repo.sh("git", "update-ref", "-d", prepared.snapshot.ref)
    with pytest.raises(Corrupt, match="not where it was left"):
        verify_snapshot(prepared.snapshot, yard.git)
    yard.repo.sh("git", "update-ref", prepared.snapshot.ref, yard.repo.commit({"c.py": "c\n"}))
    with pytest.raises(Corrupt, match="not where it was left"):
        verify_snapshot(prepared.snapshot, yard.git)


def test_a_replaced_commit_is_not_believed(yard: Yard, prepared: Prepared) -> None:
    """`git replace` shows another commit under the same hash to whoever does not ask for the real one."""
    other = yard.repo.commit({"a.py": "other\n"})
    yard.repo.sh("git", "replace", "--force", prepared.patch.base, other)
    verify_snapshot(prepared.snapshot, yard.git)
    assert yard.git.tree_of(prepared.patch.base) == prepared.snapshot.tree


def test_a_rehearsal_that_gives_another_tree_refuses(yard: Yard, prepared: Prepared) -> None:
    other = yard.git.patch(yard.repo.head, yard.git.with_files(MAIN, {"b.py": b"changed\n"}), "another")
    elsewhere = yard.repo.commit({"c.py": "c\n"})
    shifted = Snapshot(
        id=prepared.snapshot.id, ref=prepared.snapshot.ref, commit=prepared.snapshot.commit,
        tree=prepared.snapshot.tree, saved=(),
    )  # fmt: skip
    moved = yard.git.patch(elsewhere, yard.git.with_files(elsewhere, {"b.py": b"changed\n"}), "on another base")
    assert rehearse(PROPOSAL, other, shifted, yard.git).restores == shifted.tree
    with pytest.raises(Refused, match="does not give the old tree back"):
        rehearse(PROPOSAL, moved, shifted, yard.git)
