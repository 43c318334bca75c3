"""A tree can bring anything that tar can name; it is unpacked inside, by the user who has nothing there."""

import tarfile
from pathlib import Path

import pytest

from tests.escape.inside import inside, tree, tree_of
from whet.errors import SandboxUnavailable
from whet.sandbox.sandbox import Limits


def member(name: str, kind: bytes = tarfile.REGTYPE, link: str = "", mode: int = 0o644) -> tarfile.TarInfo:
    made = tarfile.TarInfo(name)
    made.type, made.linkname, made.mode = kind, link, mode
    return made


def device(name: str) -> tarfile.TarInfo:
    made = member(name, tarfile.CHRTYPE, mode=0o666)
    made.devmajor, made.devminor = 1, 3
    return made


def refused(script: str, root: str, *members: tarfile.TarInfo) -> None:
    """tar takes such a tree apart in part or not at all, and then nothing runs on it."""
    with pytest.raises(SandboxUnavailable, match="could not be unpacked"):
        inside(script, root=root, files=tree_of(*members))


def test_an_entry_that_climbs_out_lands_nowhere(tmp_path: Path) -> None:
    refused("true", str(tmp_path / "project"), member("../escaped"), member("code.py"))
    assert not (tmp_path / "escaped").exists()


def test_an_absolute_entry_lands_in_the_tree(tmp_path: Path) -> None:
    target = tmp_path / "absolute"
    finished = inside("find . -type f", files=tree_of(member(str(target))))
    assert f".{target}" in finished.output
    assert not target.exists()


def test_a_link_to_a_file_of_the_host_leads_nowhere(tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.write_text("hunter2")
    finished = inside("cat link; true", files=tree_of(member("link", tarfile.SYMTYPE, str(secret))))
    assert "hunter2" not in finished.output
    inside("echo changed > link; true", files=tree_of(member("link", tarfile.SYMTYPE, str(secret))))
    refused("true", "/project", member("link", tarfile.LNKTYPE, str(secret)))
    assert secret.read_text() == "hunter2"


def test_an_entry_through_a_link_stays_inside(tmp_path: Path) -> None:
    refused("true", "/project", member("out", tarfile.SYMTYPE, str(tmp_path)), member("out/escaped"))
    assert list(tmp_path.iterdir()) == []


def test_a_device_in_the_tree_is_none() -> None:
    refused("true", "/project", device("null"))


def test_a_setuid_program_in_the_tree_gives_nothing() -> None:
    files = tree_of(member("tool", mode=0o6755))
    script = 'cp /usr/bin/id tool && chmod 6755 tool && ./tool -u && [ "$(./tool -u)" = "$(id -u)" ]'
    assert inside(script, files=files).exit_code == 0


def test_neither_git_nor_the_state_folder_is_inside(tmp_path: Path) -> None:
    for name in (".git", ".whet"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "secret").write_text("x")
    said = inside("ls -A .", root=str(tmp_path))
    assert said.output.split() == ["code.py"]


def test_what_is_written_inside_stays_inside(tmp_path: Path) -> None:
    said = inside("echo changed > code.py && echo more > new.py && cat code.py", root=str(tmp_path))
    assert "changed" in said.output
    assert list(tmp_path.iterdir()) == []


def test_the_tree_is_not_left_open_for_the_command() -> None:
    said = inside("for f in /proc/self/fd/*; do readlink $f; done", files=tree({"a": b"x"}))
    assert "memfd" not in said.output


def test_a_folder_above_the_tree_cannot_be_exchanged_under_the_watchdog() -> None:
    """Where the tree lies below a scratch folder, the folders between could be renamed by their owner."""
    script = "mv /tmp/above /tmp/gone; cd /tmp/*/project; for i in {1..900}; do mkdir d$i; done; sleep 9"
    finished = inside(script, root="/tmp/above/project", limits=Limits(wall_seconds=15, files=300))
    assert finished.stopped_by in ("files", "watchdog")
