"""Whatever is in a tree comes through snapshot, deploy and rollback byte for byte, and the checkout stays clean."""

import os
import random
import unicodedata
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.phases.deploy.conftest import MakeYard
from tests.phases.deploy.yard import MAIN, PROPOSAL, Edit, Yard, listed, on_disk, status
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


def there_and_back(yard: Yard, edit: Edit) -> None:
    """Deploy a change and take it back; the checkout of `main` follows both times."""
    before, tree_before = on_disk(yard.repo.root), listed(yard.repo, MAIN)
    prepared = yard.prepare(edit)
    assert prepared.patch.changes
    expected = expected_files(yard, prepared.patch.tree)

    deployment = yard.deploy(prepared)
    assert yard.git.tree_of(MAIN) == prepared.patch.tree
    assert on_disk(yard.repo.root) == expected
    assert status(yard.repo) == ""

    done = yard.roll_back(deployment)
    assert yard.git.read_ref(MAIN) == done.after
    assert listed(yard.repo, MAIN) == tree_before
    assert on_disk(yard.repo.root) == before
    assert status(yard.repo) == ""
    yard.repo.sh("git", "fsck", "--strict", "--no-dangling")


def expected_files(yard: Yard, tree: str) -> object:
    """What plain git makes of the new tree in a fresh checkout of its own, with the same settings."""
    folder = yard.repo.root.parent / "fresh"
    commit = yard.repo.sh("git", "commit-tree", tree, "-m", "x")
    yard.repo.sh("git", "worktree", "add", "--quiet", "--detach", str(folder), commit)
    try:
        return on_disk(folder)
    finally:
        yard.repo.sh("git", "worktree", "remove", "--force", str(folder))


def yard_of(make_yard: MakeYard, first: Make, settings: dict[str, str] | None = None) -> Yard:
    yard = make_yard({"kept.txt": "kept\n", "sub/kept.txt": "kept\n"})
    for key, value in (settings or {}).items():
        yard.repo.sh("git", "config", key, value)
    first(yard.repo.root)
    yard.repo.sh("git", "add", "--all")
    yard.repo.sh("git", "commit", "--quiet", "--allow-empty", "--message", "before")
    return yard


def in_folder(folder: str, make: Make) -> Make:
    def made(root: Path) -> None:
        (root / folder).mkdir(exist_ok=True)
        make(root / folder)

    return made


def test_every_kind_of_change_goes_there_and_back_byte_for_byte(make_yard: MakeYard) -> None:
    """At once, each in a folder that says what it is about."""
    kept = both(write("kept.txt", b"kept\n"), write("sub/kept.txt", b"kept\n"))
    first = both(*(in_folder(name, both(kept, before)) for name, (before, _) in CHANGES.items()))
    there_and_back(yard_of(make_yard, first), both(*(in_folder(name, then) for name, (_, then) in CHANGES.items())))


@pytest.mark.parametrize("name", [name for name in CHANGES if "becomes a" in name or "exec bit" in name])
def test_a_change_of_what_a_path_is_goes_there_and_back(make_yard: MakeYard, name: str) -> None:
    first, then = CHANGES[name]
    there_and_back(yard_of(make_yard, first), then)


def test_every_odd_name_goes_there_and_back(make_yard: MakeYard) -> None:
    """In one repository: changed, new and deleted files of every name at once."""
    first = both(
        *(write(f"changed/{name}", b"one\n") for name in NAMES), *(write(f"gone/{name}", b"1") for name in NAMES)
    )
    then = both(
        *(write(f"changed/{name}", b"two\n") for name in NAMES),
        *(write(f"new/{name}", b"new\n") for name in NAMES),
        *(remove(f"gone/{name}") for name in NAMES),
    )
    yard = yard_of(make_yard, first)
    there_and_back(yard, then)
    saved = yard.prepare(then).snapshot
    recorded = yard.ledger.append("deploy", saved, subject=PROPOSAL, key="odd names")
    assert recorded.read(Snapshot) == saved


@pytest.mark.parametrize("name", ["-leading-dash.py", ":(glob)x", "with space.py", 'quote".py', "star*.py"])
def test_an_odd_name_at_the_top_goes_there_and_back(make_yard: MakeYard, name: str) -> None:
    there_and_back(yard_of(make_yard, write(name, b"one\n")), write(name, b"two\n", executable=True))


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
def test_line_ends_come_out_as_the_repository_asks(make_yard: MakeYard, name: str) -> None:
    settings, attributes = LINE_ENDS[name]
    words = (lambda text: text.encode("utf-16-le")) if "encoding" in name else str.encode
    first = both(
        write(".gitattributes", attributes),
        write("x.txt", words("one $Id$\ntwo\nthree\n")),
        write("gone.txt", words("one\n")),
    )
    yard = yard_of(make_yard, first, settings)
    for path in yard.repo.sh("git", "ls-files").splitlines():  # as a fresh clone would have them
        (yard.repo.root / path).unlink()
    yard.repo.sh("git", "checkout", "--", ".")
    lines = (yard.repo.root / "x.txt").read_bytes().replace(b"\0", b"")
    ends = "\r\n" if b"\r\n" in lines else "\n"
    then = both(
        write("x.txt", words("one $Id$\ntwo and a half\nthree\n".replace("\n", ends))),
        write("new.txt", words("brand\nnew\n".replace("\n", ends))),
        remove("gone.txt"),
    )
    there_and_back(yard, then)


def test_carriage_returns_that_were_committed_survive_text_auto(make_yard: MakeYard) -> None:
    yard = yard_of(make_yard, write("x.txt", b"one\r\ntwo\r\n"))
    yard.repo.commit({".gitattributes": "* text=auto\n"}, "attributes come later")
    tree = yard.git.with_files(MAIN, {"x.txt": b"one\r\nthree\r\n"})
    deployment = yard.deploy(yard.prepare(tree))
    assert (yard.repo.root / "x.txt").read_bytes() == b"one\r\nthree\r\n"
    assert status(yard.repo) == ""
    yard.roll_back(deployment)
    assert (yard.repo.root / "x.txt").read_bytes() == b"one\r\ntwo\r\n"
    assert status(yard.repo) == ""


def test_a_repository_without_exec_bits_takes_an_exec_bit(make_yard: MakeYard) -> None:
    yard = yard_of(make_yard, write("run.sh", b"x\n"), {"core.fileMode": "false"})
    tree = listed(yard.repo, MAIN)
    with_bit = yard.repo.sh("git", "rev-parse", "HEAD:run.sh")
    yard.repo.sh("git", "update-index", "--cacheinfo", f"100755,{with_bit},run.sh")
    executable = yard.repo.sh("git", "write-tree")
    yard.repo.sh("git", "reset", "--quiet")
    deployment = yard.deploy(yard.prepare(executable))
    assert status(yard.repo) == ""
    yard.roll_back(deployment)
    assert listed(yard.repo, MAIN) == tree
    assert status(yard.repo) == ""
