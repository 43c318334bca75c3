"""Every kind of content survives snapshot, deploy and rollback byte for byte, and the checkout stays clean."""

import os
import random
import unicodedata
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.phases.deploy.conftest import MakeHarness
from tests.phases.deploy.harness import MAIN, PROPOSAL, Edit, Harness, listed, on_disk, status
from whet.domain.deployment import Snapshot

NOISE = random.Random(7).randbytes(40_000)
Make = Callable[[Path], None]


def write(name: str, content: bytes, *, executable: bool = False) -> Make:
    def make(root: Path) -> None:
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
        path.chmod(0o755 if executable else 0o644)

    return make


def link(name: str, target: str) -> Make:
    def make(root: Path) -> None:
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.unlink(missing_ok=True)
        path.symlink_to(target)

    return make


def remove(*names: str) -> Make:
    def make(root: Path) -> None:
        for name in names:
            path = root / name
            path.unlink()
            while path.parent != root and not any(path.parent.iterdir()):
                path = path.parent
                path.rmdir()

    return make


def both(*makes: Make) -> Make:
    def make(root: Path) -> None:
        for one in makes:
            one(root)

    return make


def nothing(root: Path) -> None:
    del root


CHANGES: dict[str, tuple[Make, Make]] = {
    "a binary file": (write("image.png", NOISE), write("image.png", NOISE[:9000] + b"\0\xff" + NOISE[9000:])),
    "text becomes binary": (write("x", b"words\n"), write("x", b"\0\1\2")),
    "nul bytes only": (write("x", bytes(10)), write("x", bytes(11))),
    "exec bit on": (write("run.sh", b"#!/bin/sh\n"), write("run.sh", b"#!/bin/sh\n", executable=True)),
    "exec bit off": (write("run.sh", b"#!/bin/sh\n", executable=True), write("run.sh", b"#!/bin/sh\n")),
    "exec bit and content": (write("run.sh", b"one\n"), write("run.sh", b"two\n", executable=True)),
    "a link to elsewhere": (both(write("t1", b"1"), write("t2", b"2"), link("l", "t1")), link("l", "t2")),
    "a link to nothing": (both(write("t1", b"1"), link("l", "t1")), link("l", "missing/deep")),
    "a new link to nothing": (nothing, link("l", "no such place")),
    "a link out of the tree": (nothing, link("l", "../../outside")),
    "a link becomes a file": (both(write("t1", b"1"), link("l", "t1")), both(remove("l"), write("l", b"words\n"))),
    "a link becomes a file that says the same": (link("l", "t1"), both(remove("l"), write("l", b"t1"))),
    "a file becomes a link": (write("l", b"words\n"), link("l", "kept.txt")),
    "a file becomes a link that says the same": (write("l", b"kept.txt"), link("l", "kept.txt")),
    "a link is deleted": (link("l", "kept.txt"), remove("l")),
    "a new file": (nothing, write("new.py", b"x = 1\n")),
    "a new file in new folders": (nothing, write("a/b/c/new.py", b"x = 1\n")),
    "a new executable": (nothing, write("new.sh", b"x\n", executable=True)),
    "a deleted file": (write("old.py", b"x = 1\n"), remove("old.py")),
    "the last file of a folder": (write("a/b/old.py", b"x = 1\n"), remove("a/b/old.py")),
    "a new empty file": (nothing, write("empty", b"")),
    "an empty file is deleted": (write("empty", b""), remove("empty")),
    "a file becomes empty": (write("x", b"words\n"), write("x", b"")),
    "an empty file gets words": (write("x", b""), write("x", b"words")),
    "no final newline": (write("x", b"one\ntwo"), write("x", b"one\ntwo three")),
    "the final newline goes": (write("x", b"one\ntwo\n"), write("x", b"one\ntwo")),
    "the final newline comes": (write("x", b"one\ntwo"), write("x", b"one\ntwo\n")),
    "blanks at line ends": (write("x", b"one  \n\t\n \n"), write("x", b"one \n\t\t\n\n")),
    "carriage returns": (write("x", b"one\r\ntwo\r\n"), write("x", b"one\r\nthree\r\n")),
    "mixed line ends": (write("x", b"one\r\ntwo\nthree\rfour\r\n"), write("x", b"one\ntwo\r\nthree\rfive\n")),
    "line ends alone": (write("x", b"one\r\ntwo\r\n"), write("x", b"one\ntwo\n")),
    "not utf-8": (write("x", b"caf\xe9\n"), write("x", b"caf\xe9 \xff\n")),
    "a byte order mark": (write("x", b"words\n"), write("x", b"\xef\xbb\xbfwords\n")),
    "large": (write("x", NOISE.hex().encode() * 30), write("x", NOISE.hex().encode() * 31)),
    "one long line": (write("x", b"a" * 300_000), write("x", b"a" * 150_000 + b"b" + b"a" * 149_999)),
    "a file becomes a folder": (write("d", b"file\n"), both(remove("d"), write("d/x", b"in a folder\n"))),
    "a folder becomes a file": (
        both(write("d/x", b"1\n"), write("d/y/z", b"2\n")),
        both(remove("d/x", "d/y/z"), write("d", b"now a file\n")),
    ),
    "a folder becomes a link": (write("d/x", b"1\n"), both(remove("d/x"), link("d", "sub"))),
    "a link becomes a folder": (link("d", "sub"), both(remove("d"), write("d/kept.txt", b"1\n"))),
    "a rename": (write("old.py", b"words\n" * 20), both(remove("old.py"), write("new.py", b"words\n" * 20))),
    "a rename in letter case": (write("Name.py", b"x\n"), both(remove("Name.py"), write("name.py", b"x\n"))),
}  # fmt: skip

NAMES = (
    "with space.py", " leading and trailing ", "two  spaces", "-leading-dash.py", "--option=value", "tab\there",
    'quote".py', "it's.py", "back\\slash", "$HOME `id` $(id)", "semi;colon&pipe|", "star*.py", "question?.py", "a[b].py",
    "{a,b}", "#hash", "!bang", "~tilde", "%41", ":colon", ":(glob)x", ":!x", "@", "HEAD", "...", ".dot", "a/-/b",
    unicodedata.normalize("NFC", "café.py"), unicodedata.normalize("NFD", "café.py"), "日本語.py", "\u202eevil.py", "🙂", "\x01\x7f",
    os.fsdecode(b"latin-\xe9.py"), "x" * 200, "b/" * 30 + "deep", "a b/c d/e f",
)  # fmt: skip


def deploy_and_roll_back(harness: Harness, edit: Edit) -> None:
    """Deploy a change and roll it back; check the checkout of `main` both times."""
    before, tree_before = on_disk(harness.repo.root), listed(harness.repo, MAIN)
    prepared = harness.prepare(edit)
    assert prepared.patch.changes
    expected = expected_files(harness, prepared.patch.tree)

    deployment = harness.deploy(prepared)
    assert harness.git.tree_of(MAIN) == prepared.patch.tree
    assert on_disk(harness.repo.root) == expected
    assert status(harness.repo) == ""

    done = harness.roll_back(deployment)
    assert harness.git.read_ref(MAIN) == done.after
    assert listed(harness.repo, MAIN) == tree_before
    assert on_disk(harness.repo.root) == before
    assert status(harness.repo) == ""
    harness.repo.sh("git", "fsck", "--strict", "--no-dangling")


def expected_files(harness: Harness, tree: str) -> object:
    """Return the files that plain git writes for the new tree in a fresh checkout with the same settings."""
    folder = harness.repo.root.parent / "fresh"
    commit = harness.repo.sh("git", "commit-tree", tree, "-m", "x")
    harness.repo.sh("git", "worktree", "add", "--quiet", "--detach", str(folder), commit)
    try:
        return on_disk(folder)
    finally:
        harness.repo.sh("git", "worktree", "remove", "--force", str(folder))


def harness_of(make_harness: MakeHarness, first: Make, settings: dict[str, str] | None = None) -> Harness:
    harness = make_harness({"kept.txt": "kept\n", "sub/kept.txt": "kept\n"})
    for key, value in (settings or {}).items():
        harness.repo.sh("git", "config", key, value)
    first(harness.repo.root)
    harness.repo.sh("git", "add", "--all")
    harness.repo.sh("git", "commit", "--quiet", "--allow-empty", "--message", "before")
    return harness


def in_folder(folder: str, make: Make) -> Make:
    def made(root: Path) -> None:
        (root / folder).mkdir(exist_ok=True)
        make(root / folder)

    return made


def test_every_kind_of_change_deploys_and_rolls_back_byte_for_byte(make_harness: MakeHarness) -> None:
    """All changes at once, each in a folder named after it."""
    kept = both(write("kept.txt", b"kept\n"), write("sub/kept.txt", b"kept\n"))
    first = both(*(in_folder(name, both(kept, before)) for name, (before, _) in CHANGES.items()))
    deploy_and_roll_back(
        harness_of(make_harness, first), both(*(in_folder(name, then) for name, (_, then) in CHANGES.items()))
    )


@pytest.mark.parametrize("name", [name for name in CHANGES if "becomes a" in name or "exec bit" in name])
def test_a_change_of_the_type_of_a_path_deploys_and_rolls_back(make_harness: MakeHarness, name: str) -> None:
    first, then = CHANGES[name]
    deploy_and_roll_back(harness_of(make_harness, first), then)


def test_unusual_file_names_deploy_and_roll_back(make_harness: MakeHarness) -> None:
    """Changed, new and deleted files of every name at once, in one repository."""
    first = both(
        *(write(f"changed/{name}", b"one\n") for name in NAMES), *(write(f"gone/{name}", b"1") for name in NAMES)
    )
    then = both(
        *(write(f"changed/{name}", b"two\n") for name in NAMES),
        *(write(f"new/{name}", b"new\n") for name in NAMES),
        *(remove(f"gone/{name}") for name in NAMES),
    )
    harness = harness_of(make_harness, first)
    deploy_and_roll_back(harness, then)
    saved = harness.prepare(then).snapshot
    recorded = harness.ledger.append("deploy", saved, subject=PROPOSAL, key="odd names")
    assert recorded.read(Snapshot) == saved


@pytest.mark.parametrize("name", ["-leading-dash.py", ":(glob)x", "with space.py", 'quote".py', "star*.py"])
def test_an_unusual_file_name_at_the_top_level_deploys_and_rolls_back(make_harness: MakeHarness, name: str) -> None:
    deploy_and_roll_back(harness_of(make_harness, write(name, b"one\n")), write(name, b"two\n", executable=True))


LINE_ENDS: dict[str, tuple[dict[str, str], bytes]] = {
    "autocrlf": ({"core.autocrlf": "true"}, b""),
    "autocrlf input": ({"core.autocrlf": "input"}, b""),
    "text=auto": ({}, b"* text=auto\n"),
    "text=auto with autocrlf": ({"core.autocrlf": "true"}, b"* text=auto\n"),
    "eol=crlf": ({}, b"*.txt text eol=crlf\n"),
    "core.eol": ({"core.eol": "crlf"}, b"* text=auto\n"),
    "binary by attribute": ({"core.autocrlf": "true"}, b"*.txt -text -diff\n"),
    "ident": ({}, b"*.txt ident\n"),
    "another encoding": ({}, b"[gnx]*.txt text working-tree-encoding=UTF-16LE\n"),
}  # fmt: skip


@pytest.mark.parametrize("name", LINE_ENDS)
def test_line_endings_follow_the_settings_of_the_repository(make_harness: MakeHarness, name: str) -> None:
    settings, attributes = LINE_ENDS[name]
    words = (lambda text: text.encode("utf-16-le")) if "encoding" in name else str.encode
    first = both(
        write(".gitattributes", attributes),
        write("x.txt", words("one $Id$\ntwo\nthree\n")),
        write("gone.txt", words("one\n")),
    )
    harness = harness_of(make_harness, first, settings)
    for path in harness.repo.sh("git", "ls-files").splitlines():  # as a fresh clone would have them
        (harness.repo.root / path).unlink()
    harness.repo.sh("git", "checkout", "--", ".")
    lines = (harness.repo.root / "x.txt").read_bytes().replace(b"\0", b"")
    ends = "\r\n" if b"\r\n" in lines else "\n"
    then = both(
        write("x.txt", words("one $Id$\ntwo and a half\nthree\n".replace("\n", ends))),
        write("new.txt", words("brand\nnew\n".replace("\n", ends))),
        remove("gone.txt"),
    )
    deploy_and_roll_back(harness, then)


def test_carriage_returns_that_were_committed_survive_text_auto(make_harness: MakeHarness) -> None:
    harness = harness_of(make_harness, write("x.txt", b"one\r\ntwo\r\n"))
    harness.repo.commit({".gitattributes": "* text=auto\n"}, "attributes come later")
    tree = harness.git.with_files(MAIN, {"x.txt": b"one\r\nthree\r\n"})
    deployment = harness.deploy(harness.prepare(tree))
    assert (harness.repo.root / "x.txt").read_bytes() == b"one\r\nthree\r\n"
    assert status(harness.repo) == ""
    harness.roll_back(deployment)
    assert (harness.repo.root / "x.txt").read_bytes() == b"one\r\ntwo\r\n"
    assert status(harness.repo) == ""


def test_an_executable_bit_is_deployed_where_git_ignores_file_modes(make_harness: MakeHarness) -> None:
    harness = harness_of(make_harness, write("run.sh", b"x\n"), {"core.fileMode": "false"})
    tree = listed(harness.repo, MAIN)
    with_bit = harness.repo.sh("git", "rev-parse", "HEAD:run.sh")
    harness.repo.sh("git", "update-index", "--cacheinfo", f"100755,{with_bit},run.sh")
    executable = harness.repo.sh("git", "write-tree")
    harness.repo.sh("git", "reset", "--quiet")
    deployment = harness.deploy(harness.prepare(executable))
    assert status(harness.repo) == ""
    harness.roll_back(deployment)
    assert listed(harness.repo, MAIN) == tree
    assert status(harness.repo) == ""
