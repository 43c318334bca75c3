"""Settings and variables that change git's output do not change what whet reads; ordinary repositories keep working."""

import os
import zlib
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from tests.git.hostile import write_settings
from tests.support import MakeRepo, Repo
from whet.errors import Corrupt
from whet.git.checkout import Checkout
from whet.git.git import Git

AT = datetime(2026, 1, 2, tzinfo=UTC)
FILES: dict[str, str | bytes] = {"a.py": "x = 1\ny = 2\nword\n", "b.py": "z = 3\n", "ä.txt": "ä\n"}
# Each of these settings changes the output of a subcommand that whet reads.
SETTINGS = {
    "color.ui": "always", "color.grep": "always", "color.diff": "always", "color.status": "always",
    "grep.lineNumber": "true", "grep.column": "true", "grep.fullName": "true", "grep.patternType": "perl",
    "merge.conflictStyle": "diff3",
    "apply.ignoreWhitespace": "change", "apply.whitespace": "fix",
    "log.follow": "true", "log.abbrevCommit": "true", "log.date": "relative", "log.decorate": "full",
    "format.pretty": "raw", "i18n.logOutputEncoding": "ISO-8859-1", "i18n.commitEncoding": "ISO-8859-1",
    "trailer.separators": "=", "core.commentChar": "W", "core.abbrev": "5", "core.quotePath": "true",
    "diff.noprefix": "true", "diff.context": "0", "diff.renames": "copies", "diff.algorithm": "patience",
    "diff.orderFile": "order", "diff.relative": "true", "diff.interHunkContext": "9", "diff.suppressBlankEmpty": "true",
    "status.short": "true", "status.branch": "true", "status.relativePaths": "false", "status.showStash": "true",
    "column.ui": "always", "core.safecrlf": "true", "advice.detachedHead": "true", "core.warnAmbiguousRefs": "true",
}  # fmt: skip
VARIABLES = {
    "GIT_DIR": "/nonexistent", "GIT_WORK_TREE": "/", "GIT_INDEX_FILE": "/nonexistent", "GIT_EXTERNAL_DIFF": "false",
    "GIT_OBJECT_DIRECTORY": "/nonexistent", "GIT_NAMESPACE": "x", "GIT_CEILING_DIRECTORIES": "/", "GIT_TRACE": "2",
    "GIT_CONFIG_PARAMETERS": "'color.ui'='always'", "GIT_CONFIG_COUNT": "nonsense", "GIT_SSH_COMMAND": "false",
    "GIT_EXEC_PATH": "/nonexistent", "GIT_DIFF_OPTS": "-u9", "GIT_DEFAULT_HASH": "sha256", "GIT_PAGER": "false",
    "GIT_GLOB_PATHSPECS": "1", "GIT_AUTHOR_DATE": "nonsense", "GIT_COMMON_DIR": "/nonexistent", "LC_ALL": "de_DE",
    "GIT_ATTR_SOURCE": "nonsense", "GIT_REPLACE_REF_BASE": "refs/x", "GIT_SHALLOW_FILE": "/etc/passwd",
}  # fmt: skip


@pytest.fixture
def repo(make_repo: MakeRepo) -> Repo:
    repo = make_repo(FILES)
    repo.sh("git", "mv", "b.py", "c.py")
    repo.commit({"a.py": "x = 1\ny = 3\nword\n"}, "Änderung\n\nbody\n\nWhet-Key: value\n")
    return repo


def readings(root: Path) -> dict[str, Any]:
    """Return what whet reads from a repository through git."""
    git = Checkout(root)
    tree = git.with_files("HEAD", {"a.py": b"x = 2\ny = 3\nword\n", "new.py": b"n = 1\n"})
    loose = b"--- a/a.py\n+++ b/a.py\n@@ -1,2 +1,2 @@\n-x  =  1\n+x = 7\n y = 3\n"
    return {
        "log": [(entry.author, entry.subject, entry.trailers) for entry in git.log("HEAD", "c.py")],
        "trailers": git.log("HEAD")[0].trailers,
        "history": [(entry.subject, entry.body, entry.files) for entry in git.logged(git.newest_commits("HEAD", 9))],
        "subject": git.log("HEAD")[0].subject,
        "words": git.words_in("HEAD", ["word", "absent", "x"]),
        "diff": git.diff("HEAD~", tree),
        "changes": git.changes("HEAD~", tree),
        "conflicts": git.merge_texts(b"a\nb\nc\n", b"1\nb\nc\n", b"2\nb\nc\n")[1],
        "applied": git.apply("HEAD", git.diff("HEAD", tree)) == tree,
        "applied loosely": git.apply("HEAD", loose),
        "commit": git.commit(git.tree_of("HEAD"), git.resolve("HEAD"), "Grüße", "ä <a@b>", AT),
        "dirty": git.dirty_paths(),
        "entries": git.entries("HEAD"),
        "branch": git.branch(),
        "checkouts": git.checkouts(),
        "parents": git.is_ancestor("HEAD~", "HEAD"),
        "first": git.first_commit(),
    }


def test_settings_of_the_repository_change_nothing_that_whet_reads(repo: Repo) -> None:
    before = readings(repo.root)
    assert before["applied"]
    assert before["applied loosely"] is None
    assert before["trailers"] == {"Whet-Key": "value"}
    write_settings(repo.root / ".git/config", SETTINGS)
    after = readings(repo.root)
    assert {key for key in before if after[key] != before[key]} == set()


def test_variables_of_the_caller_change_nothing(repo: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    """A hook of git that starts whet has some of them set."""
    before = readings(repo.root)
    for name, value in VARIABLES.items():
        monkeypatch.setenv(name, value)
    assert readings(repo.root) == before


def test_grafts_do_not_change_the_history(repo: Repo) -> None:
    before = readings(repo.root)
    (repo.root / ".git/info/grafts").write_text(f"{repo.head}\n")
    assert readings(repo.root) == before


def test_a_repository_with_large_file_storage_works(repo: Repo) -> None:
    """The filters do not run. A file that git has looked at is clean; its real content is not taken for a change."""
    git = Git(repo.root)
    pointer = b"version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 4\n"
    settings = {"smudge": "printf real", "clean": "cat > /dev/null && cat .git/pointer", "required": "true"}
    write_settings(repo.root / ".git/config", {f"filter.lfs.{key}": value for key, value in settings.items()})
    (repo.root / ".git/pointer").write_bytes(pointer)
    repo.commit({".gitattributes": "*.bin filter=lfs -text\n", "big.bin": b"real"})
    assert git.read("HEAD", "big.bin") == pointer
    os.utime(repo.root / "big.bin", (1e9, 1e9))  # older than the index, so that git need not read it again
    repo.sh("git", "status")
    assert Checkout(repo.root).dirty_paths() == []
    old = repo.head
    new = git.commit(git.with_files(old, {"a.py": b"x = 9\n"}), old, "change", "a <a@b>", AT)
    git.move_ref("refs/heads/main", new, old, "test")
    Checkout(repo.root).follow(old, new)
    assert (repo.root / "big.bin").read_bytes() == b"real"
    assert repo.sh("git", "status", "--porcelain") == ""


@pytest.mark.parametrize(
    "settings",
    [
        {"core.fsmonitor": "true", "core.untrackedCache": "true"},
        {"credential.helper": "store", "core.sshCommand": "ssh -i key", "core.editor": "vim", "core.pager": "less"},
        {"core.hooksPath": ".githooks", "commit.gpgSign": "true", "gpg.format": "ssh", "user.signingKey": "key"},
        {"alias.st": "status", "merge.tool": "meld", "diff.external": "difft", "include.path": "missing"},
        {"remote.origin.url": "git@host:x.git", "submodule.recurse": "true", "pull.rebase": "true"},
        {"core.autocrlf": "input", "feature.manyFiles": "true", "core.splitIndex": "true"},
    ],
    ids=lambda settings: next(iter(settings)),
)
def test_ordinary_settings_are_accepted(repo: Repo, settings: dict[str, str]) -> None:
    before = readings(repo.root)
    write_settings(repo.root / ".git/config", settings)
    (repo.root / ".git/hooks").mkdir(exist_ok=True)
    hook = repo.root / ".git/hooks/reference-transaction"
    hook.write_text("#!/bin/sh\nexit 1\n")
    hook.chmod(0o755)
    assert readings(repo.root) == before
    Git(repo.root).move_ref("refs/heads/more", repo.head, "0" * 40, "test")
    assert os.access(hook, os.X_OK)


@pytest.mark.parametrize("place", ["the repository", "an alternate"])
def test_an_object_with_other_content_is_refused(repo: Repo, tmp_path: Path, place: str) -> None:
    """Git reads the objects of every folder in objects/info/alternates, and does not compare a blob with its hash."""
    blob = repo.sh("git", "rev-parse", "HEAD:a.py")
    objects = repo.root / ".git/objects"
    (objects / blob[:2] / blob[2:]).unlink()
    if place == "an alternate":
        (objects / "info").mkdir(exist_ok=True)
        (objects / "info/alternates").write_text(f"{tmp_path}/alternate\n")
        objects = tmp_path / "alternate"
        (objects / blob[:2]).mkdir(parents=True)
    (objects / blob[:2] / blob[2:]).write_bytes(zlib.compress(b"blob 6\0x = 6\n"))
    with pytest.raises(Corrupt, match="does not match its hash"):
        Git(repo.root).blob(blob)
    with pytest.raises(Corrupt, match="does not match its hash"):
        Git(repo.root).tar("HEAD")
