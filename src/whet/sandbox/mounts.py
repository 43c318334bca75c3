"""The file system of a sandbox: host paths mounted read-only, and scratch folders in memory."""

import contextlib
import os
import stat
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path

from whet.sandbox.sandbox import Job

INSIDE_AT = "/whet"  # where the scripts of a job are mounted
DOOR_AT = "/run/whet/door"  # where the socket of a job is mounted, if it has one
HOME = "/tmp/.home"  # a folder in /tmp, because each mount of its own slows every start
# Shown as they are on the host: folders are bound read-only, links are made again.
_SYSTEM = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32")
# Files are copied into the sandbox's own /etc, links are made again.
_COPIED = ("/etc/ld.so.cache", "/etc/localtime", "/etc/mime.types", "/etc/os-release", "/etc/protocols", "/etc/services",
           "/etc/timezone")  # fmt: skip
_KEYS = "/proc/keys"
_SCRATCH = ("/tmp", "/dev/shm")  # both are memory; together they may hold as much as the tree
_PRIVATE = (".git", ".whet")  # histories with their remotes and tokens, and whet's own state


def scratch(job: Job) -> tuple[str, ...]:
    """Return the mount points that a job may write to."""
    return (*_SCRATCH, job.root)


def mounts(job: Job, files: Mapping[str, int], *, made_by_root: bool, hide_keys: bool) -> list[str]:
    """Return bubblewrap's mount options. `files` are the files of /etc, each with the descriptor of its content.

    Every bind adds about a third of a millisecond to a start. The last options make the root and /proc read-only,
    and /dev if an ordinary user made it: only then could code inside, which has the same user id, write to it.
    """
    made: set[str] = {"/etc"}
    options = list(_system_mounts())
    if hide_keys and os.path.exists(_KEYS):
        options += ["--ro-bind", "/dev/null", _KEYS]
    for path, descriptor in files.items():
        options += ["--perms", "0444", "--file", str(descriptor), path]
    options += [*_parents("/var/tmp", made), "--symlink", "../tmp", "/var/tmp"]
    for path in _SCRATCH:
        options += _parents(path, made)
        options += ["--size", str(job.limits.tree_bytes // len(_SCRATCH)), "--perms", "1777", "--tmpfs", path]
    options += ["--perms", "1777", "--dir", HOME, *_parents(job.root, made)]
    options += ["--size", str(job.limits.tree_bytes), "--perms", "0777", "--tmpfs", job.root]
    if job.scripts and any(part.startswith(INSIDE_AT) for part in job.argv):
        options += ["--ro-bind", job.scripts, INSIDE_AT]
    for path in job.readable:
        options += _parents(path, made)
        options += ["--ro-bind", path, path]
        for hidden in _hidden(path):
            options += _mask(hidden)
    options += _door(job.door, made) if job.door else []
    options += ["--remount-ro", "/proc"]
    if not made_by_root:
        options += ["--remount-ro", "/dev"]
    return [*options, "--remount-ro", "/"]


def _door(socket: str, made: set[str]) -> list[str]:
    """Return options that mount one socket of the host, and nothing beside it. Refuse a path that is not a socket: a bound
    folder or device would be another way out."""
    if not stat.S_ISSOCK(os.lstat(socket).st_mode):
        raise ValueError(f"{socket} is not a socket, and the door of a sandbox must be one")
    return [*_parents(DOOR_AT, made), "--ro-bind", socket, DOOR_AT]


def etc(uid: int) -> dict[str, bytes]:
    """Return the files of /etc that Python and libc read; the only accounts are root and the sandbox's user."""
    user = f"sandbox:x:{uid}:{uid}:sandbox:{HOME}:/bin/sh\n"
    return {
        "/etc/passwd": f"root:x:0:0:root:/root:/bin/sh\n{user}".encode(),
        "/etc/group": f"root:x:0:\nsandbox:x:{uid}:\n".encode(),
        "/etc/hosts": b"127.0.0.1 localhost sandbox\n::1 localhost\n",
        "/etc/nsswitch.conf": b"passwd: files\ngroup: files\nhosts: files\n",
        **_copies(),
    }


@cache
def _copies() -> Mapping[str, bytes]:
    return {path: Path(path).read_bytes() for path in _COPIED if os.path.isfile(path) and not os.path.islink(path)}


@cache
def _system_mounts() -> Sequence[str]:
    options = [option for path in _SYSTEM for option in _as_on_host(path)]
    options += ["--perms", "0755", "--dir", "/etc", *_as_on_host("/etc/alternatives")]
    options += [option for path in _COPIED if os.path.islink(path) for option in _as_on_host(path)]
    return (*options, "--proc", "/proc", "--dev", "/dev")


@cache
def _hidden(folder: str) -> Sequence[str]:
    """Return the paths below a readable folder that must be masked: .git and .whet, sockets, pipes and devices.

    A read-only mount does not keep code from connecting to a socket or writing to a pipe. The folder is scanned once
    per process of whet; paths created later are not masked.
    """
    hidden, folders = [], [folder]
    while folders:
        with contextlib.suppress(PermissionError, FileNotFoundError), os.scandir(folders.pop()) as entries:
            for entry in entries:
                if entry.name in _PRIVATE:
                    hidden.append(entry.path)
                elif entry.is_dir(follow_symlinks=False):
                    folders.append(entry.path)
                elif not (entry.is_file(follow_symlinks=False) or entry.is_symlink()):
                    hidden.append(entry.path)
    return tuple(sorted(hidden))


def _mask(path: str) -> list[str]:
    """Return options that mount an empty folder or /dev/null over a path."""
    if os.path.islink(path) or not os.path.exists(path):
        return []  # a link shows nothing that is not visible inside anyway; other paths may have gone since the scan
    if os.path.isdir(path):
        return ["--perms", "0000", "--tmpfs", path, "--remount-ro", path]
    return ["--ro-bind", "/dev/null", path]


def _as_on_host(path: str) -> Sequence[str]:
    """Return options that show a host path read-only: a bind, a link with the same target, or nothing."""
    if not os.path.lexists(path):
        return ()
    if os.path.islink(path):
        return ("--symlink", os.readlink(path), path)
    return ("--ro-bind", path, path)


def _parents(path: str, made: set[str]) -> list[str]:
    """Return options that create the folders above a mount point; bubblewrap itself would close them to other users.

    `made` collects the folders, so that each is created once.
    """
    options = []
    for parent in reversed(Path(path).parents):
        name = str(parent)
        if name != "/" and name not in made:
            made.add(name)
            options += ["--perms", "0755", "--dir", name]
    return options
