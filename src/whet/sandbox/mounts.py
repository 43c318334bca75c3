"""What a sandbox sees of the host, all of it read-only, and where it may write: memory that ends with it."""

import contextlib
import os
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path

from whet.sandbox.sandbox import Job

INSIDE = Path(__file__).parents[1] / "target" / "inside"
INSIDE_AT = "/whet"
HOME = "/tmp/.home"  # not a mount of its own: each costs every start
_SYSTEM = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32")
_COPIED = ("/etc/ld.so.cache", "/etc/localtime", "/etc/mime.types", "/etc/os-release", "/etc/protocols", "/etc/services",
           "/etc/timezone")  # fmt: skip
_KEYS = "/proc/keys"
_SCRATCH = ("/tmp", "/dev/shm")  # together as much as the tree, since all of it is memory
_PRIVATE = (".git", ".whet")


def scratch(job: Job) -> tuple[str, ...]:
    return (*_SCRATCH, job.root)


def mounts(job: Job, files: Mapping[str, int], *, made_by_root: bool, hide_keys: bool) -> list[str]:
    """Bubblewrap's options, with `files` by descriptor. Every bind costs a start a third of a millisecond.

    The root and /proc are read-only at the end; /dev too, where what is in it does not belong to root.
    """
    made: set[str] = {"/etc"}
    options = list(_of_the_system())
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
    if any(part.startswith(INSIDE_AT) for part in job.argv):
        options += ["--ro-bind", str(INSIDE), INSIDE_AT]
    for path in job.readable:
        options += _parents(path, made)
        options += ["--ro-bind", path, path]
        for hidden in _hidden(path):
            options += _covered(hidden)
    options += ["--remount-ro", "/proc"] if made_by_root else ["--remount-ro", "/proc", "--remount-ro", "/dev"]
    return [*options, "--remount-ro", "/"]


def etc(uid: int) -> dict[str, bytes]:
    """The files below /etc that Python and libc ask for, with nobody in them but root and the sandbox's own user."""
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
def _of_the_system() -> Sequence[str]:
    options = [option for path in _SYSTEM for option in _as_it_is(path)]
    options += ["--perms", "0755", "--dir", "/etc", *_as_it_is("/etc/alternatives")]
    options += [option for path in _COPIED if os.path.islink(path) for option in _as_it_is(path)]
    return (*options, "--proc", "/proc", "--dev", "/dev")


@cache
def _hidden(folder: str) -> Sequence[str]:
    """What lies somewhere below and is not to be seen: histories with their remotes, whet's own state, and sockets and
    pipes, which a read-only mount does not close. Looked for once: what comes later is there."""
    found, folders = [], [folder]
    while folders:
        with contextlib.suppress(PermissionError, FileNotFoundError), os.scandir(folders.pop()) as entries:
            for entry in entries:
                if entry.name in _PRIVATE:
                    found.append(entry.path)
                elif entry.is_dir(follow_symlinks=False):
                    folders.append(entry.path)
                elif not (entry.is_file(follow_symlinks=False) or entry.is_symlink()):
                    found.append(entry.path)
    return tuple(sorted(found))


def _covered(path: str) -> list[str]:
    if os.path.islink(path) or not os.path.exists(path):
        return []  # it leads to something that is shown as well, or is gone by now: nothing can be put over it
    if os.path.isdir(path):
        return ["--perms", "0000", "--tmpfs", path, "--remount-ro", path]
    return ["--ro-bind", "/dev/null", path]


def _as_it_is(path: str) -> Sequence[str]:
    if not os.path.lexists(path):
        return ()
    if os.path.islink(path):
        return ("--symlink", os.readlink(path), path)
    return ("--ro-bind", path, path)


def _parents(path: str, made: set[str]) -> list[str]:
    """Folders above a mount point, open to read: bubblewrap would make them for root alone."""
    options = []
    for parent in reversed(Path(path).parents):
        name = str(parent)
        if name != "/" and name not in made:
            made.add(name)
            options += ["--perms", "0755", "--dir", name]
    return options
