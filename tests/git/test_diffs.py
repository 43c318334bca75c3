"""Merging three texts, and diffs that no setting of the repository changes."""

import pytest

from tests.support import MakeRepo
from whet.errors import Corrupt
from whet.git.diffs import Diffs
from whet.git.objects import blob_name

BASE = b"one\ntwo\nthree\nfour\nfive\n"


def test_changes_to_different_lines_are_merged(make_repo: MakeRepo) -> None:
    git = Diffs(make_repo({"a.py": "x = 1\n"}).root)
    merged, conflicts = git.merge_texts(BASE, BASE.replace(b"one", b"1"), BASE.replace(b"five", b"5"))
    assert (merged, conflicts) == (b"1\ntwo\nthree\nfour\n5\n", [])


def test_a_conflict_is_returned_with_the_lines_of_both_sides(make_repo: MakeRepo) -> None:
    git = Diffs(make_repo({"a.py": "x = 1\n"}).root)
    _, conflicts = git.merge_texts(BASE, BASE.replace(b"three", b"ours"), BASE.replace(b"three", b"theirs"))
    assert conflicts == [(["ours"], ["theirs"])]


def test_conflict_markers_in_the_text_itself_are_no_conflict(make_repo: MakeRepo) -> None:
    git = Diffs(make_repo({"a.py": "x = 1\n"}).root)
    text = b"<<<<<<< ours\n=======\n>>>>>>> theirs\n"
    assert git.merge_texts(text, text, text) == (text, [])


@pytest.mark.parametrize("setting", ["diff.noprefix", "diff.mnemonicPrefix", "diff.suppressBlankEmpty"])
def test_settings_of_the_repository_do_not_change_the_digest_of_a_patch(setting: str, make_repo: MakeRepo) -> None:
    repo = make_repo({"a.py": "x = 1\n\ny = 2\n"})
    base = repo.head
    tree = repo.git.with_files(base, {"a.py": b"x = 1\n\ny = 3\n"})
    before = repo.git.patch(base, tree, "change y").digest
    repo.sh("git", "config", setting, "true")
    assert Diffs(repo.root).patch(base, tree, "change y").digest == before


def test_a_diff_that_does_not_apply_gives_no_tree(make_repo: MakeRepo) -> None:
    repo = make_repo({"a.py": "x = 1\n"})
    diff = repo.git.diff(repo.head, repo.git.with_files(repo.head, {"a.py": b"x = 2\n"}))
    other = repo.git.with_files(repo.head, {"a.py": b"something else\n"})
    assert repo.git.apply(other, diff) is None
    assert repo.git.read(repo.git.apply(repo.head, diff) or "", "a.py") == b"x = 2\n"


def test_a_file_name_with_the_words_of_a_full_disk_is_no_full_disk(make_repo: MakeRepo) -> None:
    repo = make_repo({"a.py": "x = 1\n"})
    name = "b: No space left on device"
    diff = f"--- a/{name}\n+++ b/{name}\n@@ -1 +1 @@\n-x\n+y\n"
    assert repo.git.apply(repo.head, diff.encode()) is None


def test_a_missing_object_is_reported_as_corrupt(make_repo: MakeRepo) -> None:
    git = make_repo({"a.py": "x = 1\n"}).git
    with pytest.raises(Corrupt, match="missing"):
        git.blob(blob_name(b"never stored", "0" * 40))
