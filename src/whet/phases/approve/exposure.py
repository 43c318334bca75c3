"""Approval keys that prove nobody, because every program of this user can sign with them.

A key in software is exposed if an ssh-agent of this user holds it or if its file has no passphrase. An attacker can hide an
agent from this search, so a signature in software is worth less than a touch; the search catches the usual case.
"""

import os
import pwd
import socket
import struct
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path

from whet.errors import BadSignature, EnvironmentProblem
from whet.signing.key_file import has_passphrase
from whet.signing.keys import PublicKey
from whet.signing.wire import Reader

_SOCKET = "SSH_AUTH_SOCK"
_NAMES = ("ssh", "agent", "keyring", "gpg")
_REQUEST_IDENTITIES, _IDENTITIES = b"\x00\x00\x00\x01\x0b", 12
_MOST_BYTES = 1 << 20
_TIMEOUT_SECONDS = 0.5


def exposed_keys(keys: Iterable[PublicKey]) -> tuple[str, ...]:
    """Return the fingerprints of those keys in software that any program of this user can sign with now."""
    approval = {key for key in keys if not key.in_hardware}
    if not approval:
        return ()
    open_keys = {*_in_agents(), *_without_passphrase()}
    return tuple(sorted(key.fingerprint for key in approval & open_keys))


def _in_agents() -> Iterator[PublicKey]:
    for path in sorted(_sockets()):
        with suppress(OSError, BadSignature, struct.error):
            yield from _identities(path)


def _identities(path: str) -> list[PublicKey]:
    """Ask the ssh-agent behind a socket for its keys. Keys of types that whet does not know are left out."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as agent:
        agent.settimeout(_TIMEOUT_SECONDS)
        agent.connect(path)
        agent.sendall(_REQUEST_IDENTITIES)
        (length,) = struct.unpack(">I", _exactly(agent, 4))
        reply = Reader(_exactly(agent, min(length, _MOST_BYTES)), "the answer of the ssh-agent")
    if reply.byte() != _IDENTITIES:
        return []
    keys = []
    for _ in range(reply.uint32()):
        blob, _comment = reply.string(), reply.string()
        with suppress(BadSignature):
            keys.append(PublicKey.from_blob(blob))
    return keys


def _exactly(agent: socket.socket, length: int) -> bytes:
    data = b""
    while len(data) < length:
        part = agent.recv(length - len(data))
        if not part:
            raise ConnectionError("the ssh-agent closed the connection")
        data += part
    return data


def _sockets() -> set[str]:
    """Return the sockets of this user that may be an ssh-agent's: by every process's environment, and by their names."""
    paths = {os.environ.get(_SOCKET, "")}
    for environment in Path("/proc").glob("[0-9]*/environ"):
        with suppress(OSError):
            rows = environment.read_bytes().split(b"\0")
            paths |= {os.fsdecode(row.partition(b"=")[2]) for row in rows if row.startswith(f"{_SOCKET}=".encode())}
    with suppress(OSError):
        rows_in_use = Path("/proc/net/unix").read_text(errors="replace").splitlines()
        named = {row.split()[-1] for row in rows_in_use if "/" in row}
        paths |= {path for path in named if path.startswith("/") and any(name in path for name in _NAMES)}
    return {path for path in paths if path and _is_own_socket(path)}


def _is_own_socket(path: str) -> bool:
    with suppress(OSError):
        return Path(path).is_socket() and Path(path).stat().st_uid == os.getuid()
    return False


def _without_passphrase() -> Iterator[PublicKey]:
    for path in _key_files():
        with suppress(OSError, EnvironmentProblem, BadSignature, ValueError):
            if has_passphrase(path) is False:
                yield PublicKey.from_text(path.with_name(f"{path.name}.pub").read_text())


def _key_files() -> list[Path]:
    """Return the files in `.ssh` of this user's home folder, as the operating system and the environment name it."""
    homes = {os.environ.get("HOME", "")}
    with suppress(KeyError):
        homes.add(pwd.getpwuid(os.getuid()).pw_dir)
    folders = [Path(home) / ".ssh" for home in sorted(homes) if home]
    with suppress(OSError):
        return [path for folder in folders for path in sorted(folder.glob("*")) if path.suffix != ".pub"]
    return []
