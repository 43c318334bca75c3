"""What the host lays out for probes to reach: files, sockets, a process, shared memory, a terminal, a token."""

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

_CREATE = 0o1000 | 0o600
_REMOVE = 0


class Bait:
    """`facts` is what probes are told. It is all gone when `close` has been called."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.token = secrets.token_hex(16)
        self.mark = f"whet-probe-{secrets.token_hex(6)}"
        self._ending = contextlib.ExitStack()
        self.facts: dict[str, Any] = {"token": self.token, "mark": self.mark, "hostname": os.uname().nodename}

    def __enter__(self) -> "Bait":
        with contextlib.ExitStack() as building:
            building.push(self._ending)
            self._files()
            self._sockets()
            self._process()
            self._shared()
            self._terminal()
            building.pop_all()
        return self

    def __exit__(self, *_: object) -> None:
        self._ending.close()

    @property
    def environment(self) -> dict[str, str]:
        return {"WHET_PROBE": self.token, "HOME": self.facts["home"], "SSH_AUTH_SOCK": self.facts["socket"]}

    @contextlib.contextmanager
    def in_our_environment(self) -> Iterator[None]:
        """As if whet had been started with the token: what is inside must not have it."""
        known = dict(os.environ)
        os.environ.update(self.environment)
        try:
            yield
        finally:
            os.environ.clear()
            os.environ.update(known)

    def left_behind(self) -> list[int]:
        """Processes that a probe left on the host."""
        wanted = f"{self.mark}-left".encode()
        return [pid for pid in map(int, filter(str.isdigit, os.listdir("/proc"))) if wanted in _cmdline(pid)]

    def end_what_was_left(self) -> None:
        for pid in self.left_behind():
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)

    def _files(self) -> None:
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
        self._ending.callback(os.close, os.open(fifo, os.O_RDONLY | os.O_NONBLOCK))
        self.descriptor = os.open(file, os.O_RDONLY)
        os.set_inheritable(self.descriptor, True)  # noqa: FBT003 - the library's own form
        self._ending.callback(os.close, self.descriptor)
        self.facts |= {"home": str(home), "repository": str(repository), "file": str(file), "fifo": str(fifo),
                       "scratch": str(self.folder / "scratch"), "descriptor": self.descriptor}  # fmt: skip

    def _sockets(self) -> None:
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
        found = [server for server in servers.values() if server]
        reader, writer = os.pipe()
        answering = threading.Thread(target=_answer, args=(found, reader, self.token.encode()), daemon=True)
        answering.start()
        for server in found:
            self._ending.callback(server.close)
        self._ending.callback(os.close, reader)
        self._ending.callback(answering.join)
        self._ending.callback(os.close, writer)

    def _process(self) -> None:
        argv = ["/bin/sh", "-c", "read line", self.mark]
        child = spawn(argv, env=self.environment, descriptors=[self.descriptor])
        self._ending.callback(end, child)
        self.facts["pid"] = child.pid

    def _shared(self) -> None:
        key = self.facts["key"] = secrets.randbelow(0x7FFFFFFE) + 1
        with contextlib.suppress(OSError):
            self._ending.callback(_quietly, "shmctl", call("shmget", key, 4096, _CREATE), _REMOVE, 0)
            self._ending.callback(_quietly, "semctl", call("semget", key, 1, _CREATE), 0, _REMOVE, 0)
            self._ending.callback(_quietly, "msgctl", call("msgget", key, _CREATE), _REMOVE, 0)
        with contextlib.suppress(OSError):
            queue = call("mq_open", self.mark.encode(), os.O_CREAT | os.O_RDWR, 0o600, 0)
            self._ending.callback(_quietly, "mq_unlink", self.mark.encode())
            self._ending.callback(os.close, queue)
        with contextlib.suppress(OSError):
            memory = Path("/dev/shm") / self.mark
            memory.write_text(self.token)
            self._ending.callback(memory.unlink, missing_ok=True)
        with contextlib.suppress(OSError):
            token = self.token.encode()
            key = call("add_key", b"user", self.mark.encode(), token, len(token), -3)
            self._ending.callback(_quietly, "keyctl", 9, key, -3)

    def _terminal(self) -> None:
        master, slave = os.openpty()
        self.facts["terminal"] = os.ttyname(slave)
        self._ending.callback(os.close, master)
        self._ending.callback(os.close, slave)


def _answer(servers: list[socket.socket], until: int, token: bytes) -> None:
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
