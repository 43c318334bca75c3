"""Real repositories, and whet started as a command."""

import atexit
import fcntl
import functools
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from whet.git.git import Git

WHET = [str(Path(sys.executable).parent / "whet")]
TIMEOUT_SECONDS = 240
short_proofs = False  # set by a fixture: commands leave the late safeguards out of their proofs
target_python = ""  # set by a fixture: commands run a target without an environment of its own with this interpreter
recorded_runs = ""  # set by a fixture: commands keep results of sandbox runs in this folder (recorded_runs.py)


@dataclass(frozen=True)
class CommandResult:
    """The result of a command."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)


@functools.cache
def _server() -> str:
    """Start a process that has imported whet; return the address of its socket. It ends with this process."""
    folder = tempfile.mkdtemp(prefix="whet")
    address = f"{folder}/s"
    server = subprocess.Popen(
        [sys.executable, str(Path(__file__).with_name("whet_server.py")), address],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONHASHSEED": "0"},  # sets have the same order in all workers, for recorded_runs.py
    )
    assert server.stdout and server.stdout.readline() == "ready\n"
    atexit.register(_stop, server, folder)
    return address


def _stop(server: "subprocess.Popen[str]", folder: str) -> None:
    server.communicate()  # it ends when its standard input is closed
    shutil.rmtree(folder)


class ForkedCommand:
    """A whet command, or a Python file, in a process forked from one that has already imported whet."""

    def __init__(self, args: list[str], cwd: Path, env: dict[str, str], stdin: str = "", script: str = "") -> None:
        self._stdin, self._out, self._err = (tempfile.TemporaryFile() for _ in range(3))  # noqa: SIM115 - end() closes them
        self._stdin.write(stdin.encode())
        self._stdin.seek(0)
        self._connection = socket.socket(socket.AF_UNIX)
        self._connection.connect(_server())
        command = {"argv": args, "cwd": str(cwd), "env": env, "umask": _umask(), "script": script}
        request = json.dumps({**command, **proof_settings()}).encode() + b"\n"
        files = [self._stdin.fileno(), self._out.fileno(), self._err.fileno()]
        sent = socket.send_fds(self._connection, [request], files)
        self._connection.sendall(request[sent:])
        self._replies = self._connection.makefile()
        self.pid = int(self._replies.readline())

    def kill(self) -> None:
        os.kill(self.pid, signal.SIGKILL)

    def end(self, timeout_seconds: float = TIMEOUT_SECONDS) -> CommandResult:
        """Wait until the process has ended and return its result; the exit code of a killed one is negative."""
        self._connection.settimeout(timeout_seconds)
        try:
            code = int(self._replies.readline())
            return CommandResult(code, _content(self._out), _content(self._err))
        except TimeoutError:
            self.kill()
            raise
        finally:
            for opened in (self._replies, self._connection, self._stdin, self._out, self._err):
                opened.close()


def write_forking_whet(folder: Path) -> None:
    """Write a program `whet` that runs each command in a process forked from the server, for shell scripts."""
    program = folder / "whet"
    values = f"ADDRESS, SETTINGS = {_server()!r}, {proof_settings()!r}\n"
    program.write_text(f"#!{sys.executable} -IS\n{values}{_FORKING_WHET}")
    program.chmod(0o755)


_FORKING_WHET = """
import json, os, socket, sys

connection = socket.socket(socket.AF_UNIX)
connection.connect(ADDRESS)
umask = os.umask(0o077)
place = {"argv": sys.argv[1:], "cwd": os.getcwd(), "env": dict(os.environ), "umask": umask, "script": ""}
request = json.dumps({**place, **SETTINGS}).encode() + b"\\n"
sent = socket.send_fds(connection, [request], [0, 1, 2])
connection.sendall(request[sent:])
_, code = connection.makefile()
sys.exit(int(code) if int(code) >= 0 else 128 - int(code))
"""


def configured_whet() -> list[str]:
    """Return the start of a command line for whet in a process of its own, with the settings of proofs of this test."""
    return [sys.executable, str(Path(__file__).with_name("configured_whet.py")), json.dumps(proof_settings())]


def proof_settings() -> dict[str, object]:
    """Return the settings of proofs that fixtures have made for this test, as the server takes them."""
    return {"short_proof": short_proofs, "recorded_runs": recorded_runs, "target_python": target_python}


def _umask() -> int:
    """Return the umask of this process, which can only be read by setting it."""
    mask = os.umask(0o077)
    os.umask(mask)
    return mask


def _content(file: IO[bytes]) -> str:
    file.seek(0)
    return file.read().decode()


class Repo:
    """A repository on disk, with methods that run whet and git in it."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.git = Git(root)

    def whet(self, *args: str, stdin: str = "", env: dict[str, str] | None = None) -> CommandResult:
        """Run whet with `stdin` as its input. Fail on a traceback."""
        result = ForkedCommand(list(args), self.root, {**os.environ, "COLUMNS": "200", **(env or {})}, stdin).end()
        assert "Traceback" not in result.err, result.err
        return result

    def sh(self, *args: str) -> str:
        """Run a command that must succeed, and return its output."""
        process = subprocess.run(
            args, cwd=self.root, capture_output=True, text=True, errors="surrogateescape", timeout=60, check=True
        )
        return process.stdout.strip()

    def write(self, files: dict[str, str | bytes]) -> None:
        for name, text in files.items():
            path = self.root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(text.encode() if isinstance(text, str) else text)

    def commit(self, files: dict[str, str | bytes], message: str = "change") -> str:
        self.write(files)
        self.sh("git", "add", "--all")
        self.sh("git", "commit", "--quiet", "--message", message)
        return self.head

    @property
    def head(self) -> str:
        return self.sh("git", "rev-parse", "HEAD")

    def dirt(self) -> str:
        """Return the uncommitted changes, as `git status` prints them."""
        return self.sh("git", "status", "--porcelain")


def once_per_run(worker_folder: Path, name: str, make: Callable[[], Any]) -> Any:
    """Return what `make` returns, as JSON. Of all workers of a test run, the first calls it and the others wait for it.

    `worker_folder` is pytest's base folder of this worker, whose parent belongs to the run if there are workers.
    """
    folder = worker_folder.parent if os.environ.get("PYTEST_XDIST_WORKER") else worker_folder
    result = folder / f"{name}.json"
    with (folder / f"{name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not result.exists():
            result.write_text(json.dumps(make()))
    return json.loads(result.read_text())


MakeRepo = Callable[[dict[str, str | bytes]], Repo]
