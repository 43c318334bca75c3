"""The door of a sandbox: one socket, only where a job asks for it, and nothing beside it."""

import contextlib
import os
import socket
import sys
import threading
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from tests.escape.inside import interpreter_paths, tree
from whet.sandbox.bubblewrap import DOOR_AT, Bubblewrap
from whet.sandbox.escape_check import ProbeOutcome, check_escapes
from whet.sandbox.probes import run
from whet.sandbox.probes.probe import PROBES
from whet.sandbox.sandbox import Finished, Job, JobLimits

assert run.SECONDS  # importing the module fills the table of probes
ASK = """
import socket, sys
with socket.socket(socket.AF_UNIX) as connection:
    connection.settimeout(5)
    connection.connect(sys.argv[1].replace("@", chr(0)))
    print(connection.recv(64).decode())
"""


@contextlib.contextmanager
def listening(address: str) -> Iterator[None]:
    """A server of the host that greets every connection."""
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(address.replace("@", "\0"))
        server.listen()
        if not address.startswith("@"):
            Path(address).chmod(0o666)

        def greet() -> None:
            with contextlib.suppress(OSError):
                while True:
                    connection, _ = server.accept()
                    connection.sendall(b"hello")
                    connection.close()

        thread = threading.Thread(target=greet, daemon=True)
        thread.start()
        yield
        server.shutdown(socket.SHUT_RDWR)
        thread.join()


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    """A folder with a short path, because the path of a socket cannot be long."""
    short = Path(f"/tmp/whet-door-test-{os.getpid()}")
    short.mkdir(mode=0o700)
    yield short
    for path in short.iterdir():
        path.unlink()
    short.rmdir()


def inside(door: str, script: str, *args: str) -> Finished:
    argv = ("python3", "-I", "-c", script, *args)
    path = {"PATH": f"{Path(sys.executable).parent}:/usr/bin:/bin"}
    job = Job(argv=argv, tree=tree({}), root="/project", limits=JobLimits(wall_seconds=20), env=path, door=door)
    return Bubblewrap().run(replace(job, readable=interpreter_paths()))


def test_a_job_with_a_door_talks_to_that_socket(folder: Path) -> None:
    with listening(f"{folder}/door"):
        assert inside(f"{folder}/door", ASK, DOOR_AT).output.strip() == "hello"


def test_a_job_without_a_door_has_none(folder: Path) -> None:
    with listening(f"{folder}/door"):
        finished = inside("", ASK, DOOR_AT)
        assert "FileNotFoundError" in finished.output
        assert "FileNotFoundError" in inside("", ASK, f"{folder}/door").output


def test_nothing_beside_the_door_is_reachable(folder: Path) -> None:
    abstract = f"@whet-door-test-{os.getpid()}"
    with listening(f"{folder}/door"), listening(f"{folder}/beside"), listening(abstract):
        door = f"{folder}/door"
        for address in (f"{folder}/beside", f"{folder}/door", f"{Path(DOOR_AT).parent}/beside"):
            assert "FileNotFoundError" in inside(door, ASK, address).output
        assert "ConnectionRefusedError" in inside(door, ASK, abstract).output
        seen = inside(door, "import os, sys; print(os.listdir('/run'), os.listdir('/run/whet'))")
        assert seen.output.strip() == "['whet'] ['door']"


def test_the_door_cannot_be_replaced_from_inside(folder: Path) -> None:
    with listening(f"{folder}/door"):
        script = (
            "import os, sys\nfor act in (os.unlink, os.rmdir, lambda path: os.rename(path, path + '2'), "
            "lambda path: os.chmod(path, 0)):\n    try:\n        act(sys.argv[1])\n    except OSError:\n        continue\n"
            "    print('changed it')"
        )
        assert inside(f"{folder}/door", script, DOOR_AT).output.strip() == ""
        assert (folder / "door").is_socket()


@pytest.mark.parametrize("make", [Path.touch, Path.mkdir, lambda path: path.symlink_to("/run")])
def test_only_a_socket_can_be_a_door(make: Callable[[Path], None], tmp_path: Path) -> None:
    make(tmp_path / "door")
    with pytest.raises(ValueError, match="is not a socket"):
        inside(str(tmp_path / "door"), ASK, DOOR_AT)


class WithDoor(Bubblewrap):
    """The sandbox with a door in every job."""

    def __init__(self, door: str) -> None:
        super().__init__()
        self._door = door

    def run(self, job: Job, on_line: Callable[[bytes], None] | None = None) -> Finished:
        return super().run(replace(job, door=self._door), on_line)


@pytest.mark.slow
def test_a_door_lets_no_probe_of_network_and_sockets_out(folder: Path) -> None:
    ids = [name for name, probe in PROBES.items() if probe.family in ("network", "ipc")]
    with listening(f"{folder}/door"):
        results = check_escapes(WithDoor(f"{folder}/door"), interpreter_paths(), ids)
    assert [result.id for result in results if result.outcome is ProbeOutcome.GOT_OUT] == []
    assert sum(result.outcome is ProbeOutcome.HELD for result in results) >= 10
