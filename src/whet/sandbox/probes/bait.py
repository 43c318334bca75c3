"""Things on the host that probes try to reach: files, sockets, a process, shared memory, a key, a terminal, a token.

This module runs on the host only; the rest of the folder is copied into the sandbox.
"""

import contextlib
import os
import secrets
import select
import signal
import socket
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from whet.sandbox.probes.probe import call
from whet.sandbox.probes.secrets import IN_HOME, IN_REPOSITORY
from whet.sandbox.process import end, spawn

_IPC_CREATE = 0o1000 | 0o600  # IPC_CREAT, readable and writable by the owner
_IPC_REMOVE = 0  # IPC_RMID
_KEYCTL_UNLINK = 9
_SESSION_KEYRING = -3


class Bait:
    """Bait on the host while the context is open. `facts` tells the probes where it is."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.token = secrets.token_hex(16)
        self.mark = f"whet-probe-{secrets.token_hex(6)}"
        self._cleanup = contextlib.ExitStack()
        self.facts: dict[str, Any] = {"token": self.token, "mark": self.mark, "hostname": os.uname().nodename}

    def __enter__(self) -> "Bait":
        with contextlib.ExitStack() as building:
            building.push(self._cleanup)
            self._lay_files()
            self._open_sockets()
            self._start_process()
            self._share_memory()
            self._open_terminal()
            building.pop_all()
        return self

    def __exit__(self, *_: object) -> None:
        self._cleanup.close()

    @property
    def environment(self) -> dict[str, str]:
        return {"WHET_PROBE": self.token, "HOME": self.facts["home"], "SSH_AUTH_SOCK": self.facts["socket"]}

    @contextlib.contextmanager
    def in_our_environment(self) -> Iterator[None]:
        """Put the token into whet's own environment for the time being, so that a leak into the sandbox is seen."""
        before = dict(os.environ)
        os.environ.update(self.environment)
        try:
            yield
        finally:
            os.environ.clear()
            os.environ.update(before)

    def left_behind(self) -> list[int]:
        """Return the processes that a probe has left on the host, known by their name."""
        name = f"{self.mark}-left".encode()
        return [pid for pid in map(int, filter(str.isdigit, os.listdir("/proc"))) if name in _cmdline(pid)]

    def kill_left_behind(self) -> None:
        for pid in self.left_behind():
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)

    def _lay_files(self) -> None:
        home, repository = self.folder / "home", self.folder / "repository"
        for path in (*(home / name for name in IN_HOME), *(repository / name for name in IN_REPOSITORY)):
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(self.token)
        for name in ("host", "scratch"):
            (self.folder / name).mkdir()
        file = self.folder / "host" / "file"
        file.write_text(self.token)
        fifo = self.folder / "host" / "fifo"
        os.mkfifo(fifo)
        self._cleanup.callback(os.close, os.open(fifo, os.O_RDONLY | os.O_NONBLOCK))
        self.descriptor = os.open(file, os.O_RDONLY)
        os.set_inheritable(self.descriptor, True)  # noqa: FBT003 - the library's own form
        self._cleanup.callback(os.close, self.descriptor)
        self.facts |= {"home": str(home), "repository": str(repository), "file": str(file), "fifo": str(fifo),
                       "scratch": str(self.folder / "scratch"), "descriptor": self.descriptor}  # fmt: skip

    def _open_sockets(self) -> None:
        path = str(self.folder / "host" / "socket")
        servers = {
            "tcp": _listening(socket.AF_INET, ("127.0.0.1", 0)),
            "tcp6": _listening(socket.AF_INET6, ("::1", 0)),
            "socket": _listening(socket.AF_UNIX, path),
            "abstract": _listening(socket.AF_UNIX, "\0" + self.mark),
            "udp": _bound(socket.AF_INET, ("127.0.0.1", 0)),
            "datagram": _bound(socket.AF_UNIX, f"\0{self.mark}-datagram"),
        }
        self.facts |= {"socket": path, "abstract": self.mark}
        for name in ("tcp", "tcp6", "udp"):
            self.facts[name] = server.getsockname()[1] if (server := servers[name]) else 0
        opened = [server for server in servers.values() if server]
        reader, writer = os.pipe()
        thread = threading.Thread(target=_answer, args=(opened, reader, self.token.encode()), daemon=True)
        thread.start()
        for server in opened:
            self._cleanup.callback(server.close)
        # In reverse order: closing the writer ends the thread, then the thread is joined.
        self._cleanup.callback(os.close, reader)
        self._cleanup.callback(thread.join)
        self._cleanup.callback(os.close, writer)

    def _start_process(self) -> None:
        argv = ["/bin/sh", "-c", "read line", self.mark]
        child = spawn(argv, env=self.environment, descriptors=[self.descriptor])
        self._cleanup.callback(end, child)
        self.facts["pid"] = child.pid

    def _share_memory(self) -> None:
        """Make System V and POSIX objects, a file in /dev/shm and a key; skip what this host does not allow."""
        key = self.facts["key"] = secrets.randbelow(0x7FFFFFFE) + 1
        with contextlib.suppress(OSError):
            self._cleanup.callback(_quietly, "shmctl", call("shmget", key, 4096, _IPC_CREATE), _IPC_REMOVE, 0)
            self._cleanup.callback(_quietly, "semctl", call("semget", key, 1, _IPC_CREATE), 0, _IPC_REMOVE, 0)
            self._cleanup.callback(_quietly, "msgctl", call("msgget", key, _IPC_CREATE), _IPC_REMOVE, 0)
        with contextlib.suppress(OSError):
            queue = call("mq_open", self.mark.encode(), os.O_CREAT | os.O_RDWR, 0o600, 0)
            self._cleanup.callback(_quietly, "mq_unlink", self.mark.encode())
            self._cleanup.callback(os.close, queue)
        with contextlib.suppress(OSError):
            memory = Path("/dev/shm") / self.mark
            memory.write_text(self.token)
            self._cleanup.callback(memory.unlink, missing_ok=True)
        with contextlib.suppress(OSError):
            token = self.token.encode()
            key = call("add_key", b"user", self.mark.encode(), token, len(token), _SESSION_KEYRING)
            self._cleanup.callback(_quietly, "keyctl", _KEYCTL_UNLINK, key, _SESSION_KEYRING)

    def _open_terminal(self) -> None:
        master, slave = os.openpty()
        self.facts["terminal"] = os.ttyname(slave)
        self._cleanup.callback(os.close, master)
        self._cleanup.callback(os.close, slave)


def _answer(servers: list[socket.socket], until: int, token: bytes) -> None:
    """Send the token to every client, until the pipe `until` is closed at its other end."""
    while True:
        ready = select.select([until, *(server.fileno() for server in servers)], [], [])[0]
        if until in ready:
            return
        for server in (server for server in servers if server.fileno() in ready):
            with contextlib.suppress(OSError):
                if server.type == socket.SOCK_DGRAM:
                    _, sender = server.recvfrom(64)
                    if sender:
                        server.sendto(token, sender)
                else:
                    with server.accept()[0] as connection:
                        connection.sendall(token)


def _listening(family: int, address: Any) -> socket.socket | None:
    server = _bound(family, address, socket.SOCK_STREAM)
    if server:
        server.listen(16)
    return server


def _bound(family: int, address: Any, kind: int = socket.SOCK_DGRAM) -> socket.socket | None:
    """Return a socket bound to this address, or None if the host has no such address (no IPv6, say)."""
    server = socket.socket(family, kind)
    try:
        server.bind(address)
    except OSError:
        server.close()
        return None
    return server


def _quietly(name: str, *arguments: object) -> None:
    with contextlib.suppress(OSError):
        call(name, *arguments)


def _cmdline(pid: int) -> bytes:
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return b""
