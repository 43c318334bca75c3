"""Hostile trees: tar is run inside, by the sandbox's unprivileged user, so no entry can reach the host."""

import tarfile
from pathlib import Path

import pytest

from tests.escape.inside import inside, tree, tree_of
from whet.errors import SandboxUnavailable
from whet.sandbox.sandbox import JobLimits


def member(name: str, kind: bytes = tarfile.REGTYPE, link: str = "", mode: int = 0o644) -> tarfile.TarInfo:
    entry = tarfile.TarInfo(name)
    entry.type, entry.linkname, entry.mode = kind, link, mode
    return entry


def device(name: str) -> tarfile.TarInfo:
    entry = member(name, tarfile.CHRTYPE, mode=0o666)
    entry.devmajor, entry.devminor = 1, 3
    return entry


def assert_refused(script: str, root: str, *members: tarfile.TarInfo) -> None:
    """tar fails on such a tree, and then the command is not run."""
    with pytest.raises(SandboxUnavailable, match="could not be unpacked"):
        inside(script, root=root, files=tree_of(*members))


def test_an_entry_with_dot_dot_is_not_written(tmp_path: Path) -> None:
    assert_refused("true", str(tmp_path / "project"), member("../escaped"), member("code.py"))
    assert not (tmp_path / "escaped").exists()


def test_an_absolute_entry_is_unpacked_below_the_root(tmp_path: Path) -> None:
    target = tmp_path / "absolute"
    finished = inside("find . -type f", files=tree_of(member(str(target))))
    assert f".{target}" in finished.output
    assert not target.exists()


def test_a_link_to_a_file_of_the_host_does_not_reach_it(tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.write_text("hunter2")
    finished = inside("cat link; true", files=tree_of(member("link", tarfile.SYMTYPE, str(secret))))
    assert "hunter2" not in finished.output
    inside("echo changed > link; true", files=tree_of(member("link", tarfile.SYMTYPE, str(secret))))
    assert_refused("true", "/project", member("link", tarfile.LNKTYPE, str(secret)))
    assert secret.read_text() == "hunter2"


def test_an_entry_through_a_link_stays_inside(tmp_path: Path) -> None:
    assert_refused("true", "/project", member("out", tarfile.SYMTYPE, str(tmp_path)), member("out/escaped"))
    assert list(tmp_path.iterdir()) == []


def test_a_device_in_the_tree_is_refused() -> None:
    assert_refused("true", "/project", device("null"))


def test_a_setuid_program_in_the_tree_gains_no_privileges() -> None:
    files = tree_of(member("tool", mode=0o6755))
    script = 'cp /usr/bin/id tool && chmod 6755 tool && ./tool -u && [ "$(./tool -u)" = "$(id -u)" ]'
    assert inside(script, files=files).exit_code == 0


def test_neither_git_nor_the_state_folder_is_inside(tmp_path: Path) -> None:
    for name in (".git", ".whet"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "secret").write_text("x")
    finished = inside("ls -A .", root=str(tmp_path))
    assert finished.output.split() == ["code.py"]


def test_files_written_inside_do_not_reach_the_host(tmp_path: Path) -> None:
    finished = inside("echo changed > code.py && echo more > new.py && cat code.py", root=str(tmp_path))
    assert "changed" in finished.output
    assert list(tmp_path.iterdir()) == []


def test_the_command_does_not_inherit_the_tar_descriptor() -> None:
    finished = inside("for f in /proc/self/fd/*; do readlink $f; done", files=tree({"a": b"x"}))
    assert "memfd" not in finished.output


def test_moving_a_folder_above_the_tree_does_not_fool_the_watchdog() -> None:
    """If the tree lies below /tmp, code inside can rename the folders between; its files must still be counted."""
    script = "mv /tmp/above /tmp/gone; cd /tmp/*/project; for i in {1..900}; do mkdir d$i; done; sleep 9"
    finished = inside(script, root="/tmp/above/project", limits=JobLimits(wall_seconds=15, files=300))
    assert finished.stopped_by in ("files", "watchdog")
