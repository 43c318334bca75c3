"""A tar stream of a tree holds every file with its mode, and an overlay changes only the files that it names."""

import io
import tarfile

from whet.git.tar import make_tar

TREE = make_tar(
    [
        ("a.py", "100644", b"a\n"),
        ("bin/run", "100755", b"#!/bin/sh\n"),
        ("link", "120000", b"a.py"),
        ("z.py", "100644", b"z" * 1000),
    ]
)


def files(data: bytes) -> dict[str, bytes]:
    with tarfile.open(fileobj=io.BytesIO(data)) as tar:
        read = ((member.name, tar.extractfile(member)) for member in tar.getmembers() if member.isfile())
        return {name: file.read() for name, file in read if file}


def modes(data: bytes) -> dict[str, int]:
    with tarfile.open(fileobj=io.BytesIO(data)) as tar:
        return {member.name: member.mode for member in tar.getmembers() if member.isfile()}


def test_files_keep_their_content_mode_and_link_target() -> None:
    assert files(TREE.data) == {"a.py": b"a\n", "bin/run": b"#!/bin/sh\n", "z.py": b"z" * 1000}
    assert modes(TREE.data) == {"a.py": 0o644, "bin/run": 0o755, "z.py": 0o644}
    with tarfile.open(fileobj=io.BytesIO(TREE.data)) as tar:
        assert tar.getmember("link").linkname == "a.py"


def test_an_overlay_replaces_adds_and_removes_files() -> None:
    data = TREE.overlaid({"a.py": b"changed\n", "new.py": b"new\n", "z.py": None})
    assert files(data) == {"a.py": b"changed\n", "bin/run": b"#!/bin/sh\n", "new.py": b"new\n"}


def test_a_replaced_file_keeps_its_mode() -> None:
    assert modes(TREE.overlaid({"bin/run": b"echo\n"}))["bin/run"] == 0o755


def test_an_overlay_of_an_empty_tree_holds_only_the_overlay() -> None:
    assert files(make_tar([]).overlaid({"new.py": b"new\n"})) == {"new.py": b"new\n"}
