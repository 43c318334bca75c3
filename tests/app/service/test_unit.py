"""The systemd unit: what systemd itself says about it, and files that whet must not touch."""

import shutil
import socket
import subprocess
from pathlib import Path

import pytest

from whet.app.service import unit
from whet.app.service.sd_notify import notify_systemd
from whet.errors import Refused, UsageError

ANALYZE = shutil.which("systemd-analyze")


@pytest.fixture(autouse=True)
def config_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    return tmp_path / "config"


@pytest.mark.skipif(ANALYZE is None, reason="systemd is not installed")
@pytest.mark.parametrize("name", ["shop", "a b", 'a"b', "100%", "$HOME", "back\\slash"])
def test_systemd_accepts_the_unit(tmp_path: Path, name: str) -> None:
    path = tmp_path / unit.NAME
    path.write_text(unit.unit_text([tmp_path / name]))
    command = [str(ANALYZE), "verify", "--user", str(path)]
    environment = {"HOME": str(tmp_path), "XDG_RUNTIME_DIR": str(tmp_path), "PATH": "/usr/bin:/bin"}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert unit.NAME not in done.stderr, done.stderr


def test_a_folder_name_cannot_add_lines_to_the_unit(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="control character"):
        unit.unit_text([tmp_path / "a\nExecStartPre=/bin/true"])


def test_a_unit_that_whet_did_not_write_is_neither_replaced_nor_removed(tmp_path: Path) -> None:
    path = unit.unit_path()
    path.parent.mkdir(parents=True)
    path.write_text("[Service]\nExecStart=/bin/true\n")
    with pytest.raises(Refused):
        unit.install([tmp_path])
    with pytest.raises(Refused):
        unit.remove()
    assert path.read_text() == "[Service]\nExecStart=/bin/true\n"


def test_installing_twice_and_removing_leaves_nothing(tmp_path: Path) -> None:
    unit.install([tmp_path / "one"])
    assert unit.install([tmp_path / "two"]).installed
    assert "two" in unit.unit_path().read_text()
    assert not unit.remove().installed
    with pytest.raises(UsageError, match="there is no"):
        unit.remove()


def test_systemd_is_told_through_its_socket(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("NOTIFY_SOCKET", str(tmp_path / "s"))
    notify_systemd("READY=1")  # nobody listens: not an error
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as listening:
        listening.bind(str(tmp_path / "s"))
        notify_systemd("READY=1")
        assert listening.recv(100) == b"READY=1"
    monkeypatch.delenv("NOTIFY_SOCKET")
    notify_systemd("READY=1")
