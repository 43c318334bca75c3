"""Without a usable state folder whet does nothing and reports what is damaged."""

import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cli.refusals import SMALL, refuses, refuses_in_json
from tests.support import MakeRepo, Repo

RUBBISH = bytes(range(256)) * 40


@pytest.fixture
def repo(make_repo: MakeRepo) -> Repo:
    return make_repo({**SMALL, "m.py": "def f():\n    return 2\n"})


@pytest.mark.parametrize("command", ["scan", "run", "list", "stop", "suggest x"])
def test_a_file_in_place_of_the_state_folder_is_refused_and_kept(repo: Repo, command: str) -> None:
    (repo.root / ".whet").write_text("mine\n")
    head = repo.head
    refuses_in_json(repo.whet(*command.split(), "--json"), 4, "state_unusable", ".whet")
    assert (repo.root / ".whet").read_text() == "mine\n"
    assert repo.head == head


@pytest.fixture
def immutable(repo: Repo) -> Iterator[Repo]:
    """A state folder that not even root can write, if the file system supports it."""
    (repo.root / ".whet").mkdir()
    chattr = subprocess.run(["chattr", "+i", str(repo.root / ".whet")], capture_output=True, check=False)
    if chattr.returncode:
        pytest.skip("this file system has no immutable folders")
    yield repo
    subprocess.run(["chattr", "-i", str(repo.root / ".whet")], check=True)


def test_a_state_folder_that_cannot_be_written_is_refused(immutable: Repo) -> None:
    for command in ("run", "stop"):
        refuses(immutable.whet(command), 4, "cannot be written")


def test_a_damaged_ledger_is_reported_and_left_as_it_is(repo: Repo) -> None:
    assert repo.whet("list").code == 0
    (repo.root / ".whet" / "whet.sqlite").write_bytes(RUBBISH)
    for command in ("run", "list"):
        refuses_in_json(repo.whet(command, "--json"), 4, "state_unusable", "not a database", "backup")
    assert (repo.root / ".whet" / "whet.sqlite").read_bytes() == RUBBISH


def test_the_kill_switch_works_with_a_damaged_ledger(repo: Repo) -> None:
    assert repo.whet("list").code == 0
    (repo.root / ".whet" / "whet.sqlite").write_bytes(RUBBISH)
    refuses(repo.whet("stop"), 4, "whet is stopped, but that is not on record")
    refuses_in_json(repo.whet("run", "--json"), 3, "stopped")
    refuses(repo.whet("start"), 4, "not a database")
    assert (repo.root / ".whet" / "STOP").exists()


def test_a_damaged_durable_engine_is_reported_and_can_be_moved_away(repo: Repo) -> None:
    assert repo.whet("run", "--json").code in (0, 1, 5)
    for name in ("durable.sqlite-wal", "durable.sqlite-shm"):
        (repo.root / ".whet" / name).unlink(missing_ok=True)
    (repo.root / ".whet" / "durable.sqlite").write_bytes(RUBBISH)
    refuses_in_json(repo.whet("run", "--json"), 4, "state_unusable", "durable engine", "move it away")
    refuses(repo.whet("resume"), 4, "durable engine")
    assert repo.whet("list", "--json").code == 0
    (repo.root / ".whet" / "durable.sqlite").unlink()
    assert repo.whet("resume", "--json").code in (0, 1, 5)


@pytest.fixture
def tiny(repo: Repo, tmp_path: Path) -> Iterator[Repo]:
    """A state folder on its own file system of 400 kB."""
    if os.geteuid() != 0:
        pytest.skip("only root may mount")
    folder = repo.root / ".whet"
    folder.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=400k,mode=0700", "tmpfs", str(folder)], capture_output=True, check=False
    )
    if mounted.returncode:
        pytest.skip("no tmpfs can be mounted here")
    yield repo
    subprocess.run(["umount", "--lazy", str(folder)], check=True)


def test_a_full_disk_ends_the_command_with_a_reason_and_loses_nothing(tiny: Repo) -> None:
    assert tiny.whet("suggest", "f should be better").code == 0
    fill(tiny.root / ".whet" / "fill")
    head = tiny.head
    for command in ("run", "suggest more"):
        refuses_in_json(tiny.whet(*command.split(), "--json"), 4, "state_unusable")
    result = tiny.whet("stop")
    assert result.code == 4
    assert (tiny.root / ".whet" / "STOP").exists()
    assert tiny.head == head
    (tiny.root / ".whet" / "fill").unlink()
    subprocess.run(["mount", "-o", "remount,size=20m", str(tiny.root / ".whet")], check=True)
    assert tiny.whet("start", "--json").json["was_stopped"] is True
    assert tiny.whet("run", "--json").code in (0, 1, 5)
    assert tiny.whet("audit", "--json").code == 0


def fill(path: Path) -> None:
    with path.open("wb", buffering=0) as file:
        try:
            while True:
                file.write(bytes(4096))
        except OSError:
            return


def test_a_lost_state_folder_is_created_again(repo: Repo) -> None:
    assert repo.whet("list").code == 0
    shutil.rmtree(repo.root / ".whet")
    assert repo.whet("list", "--json").json == []
    assert repo.dirt() == ""
