"""The probe type, the table of all probes, and helpers that probes share.

Standard library only: this module runs inside the sandbox too.
"""

import ctypes
import errno
import os
import platform
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeVar

T = TypeVar("T")
Facts = dict[str, Any]
Attempt = Callable[[Facts], object]
FAMILIES = ("network", "filesystem", "secrets", "process", "ipc", "kernel", "terminal", "resources")


@dataclass(frozen=True)
class EscapeProbe:
    """One attempt to get out. `attempt` takes the facts about the bait and returns a true value if it got through.

    An `alone` probe runs in a sandbox of its own with small limits. A probe that `survives` leaves processes behind;
    it got through if one of them is alive after the sandbox has ended.
    """

    family: str
    name: str
    attempt: Attempt
    alone: bool = False
    survives: bool = False

    @property
    def id(self) -> str:
        return f"{self.family}: {self.name}"


PROBES: dict[str, EscapeProbe] = {}


def probe(family: str, name: str, *, alone: bool = False, survives: bool = False) -> Callable[[Attempt], Attempt]:
    """Register the decorated function as a probe."""

    def register(attempt: Attempt) -> Attempt:
        new = EscapeProbe(family, name, attempt, alone, survives)
        if new.id in PROBES:
            raise ValueError(f"there are two probes with the id {new.id}")
        PROBES[new.id] = new
        return attempt

    return register


def each(
    family: str, name: str, values: Iterable[T], attempt: Callable[[Facts, T], object], *, alone: bool = False
) -> None:
    """Register the same attempt for each value; `{}` in `name` is replaced by the value."""
    for value in values:
        probe(family, name.format(value), alone=alone)(partial(_with, attempt, value))


def _with(attempt: Callable[[Facts, T], object], value: T, bait: Facts) -> object:
    return attempt(bait, value)


_libc = ctypes.CDLL(None, use_errno=True)
# Columns of the table below; -1 on other machines, where no system call is made by number.
_COLUMN = {"x86_64": 0, "aarch64": 1}.get(platform.machine(), -1)
# System-call numbers: (x86_64, aarch64), -1 where there is no such call.
_CALLS = {
    "ptrace": (101, 117), "process_vm_readv": (310, 270), "pidfd_getfd": (438, 438), "add_key": (248, 217),
    "keyctl": (250, 219), "io_uring_setup": (425, 425), "bpf": (321, 280), "perf_event_open": (298, 241),
    "userfaultfd": (323, 282), "mount": (165, 40), "umount2": (166, 39), "unshare": (272, 97), "setns": (308, 268),
    "chroot": (161, 51), "pivot_root": (155, 41), "open_tree": (428, 428), "fsopen": (430, 430), "syslog": (103, 116),
    "init_module": (175, 105), "finit_module": (313, 273), "delete_module": (176, 106), "kexec_load": (246, 104),
    "reboot": (169, 142), "swapon": (167, 224), "acct": (163, 89), "iopl": (172, -1), "ioperm": (173, -1),
    "modify_ldt": (154, -1), "personality": (135, 92), "clone3": (435, 435), "clone": (56, 220),
    "fanotify_init": (300, 262), "name_to_handle_at": (303, 264), "open_by_handle_at": (304, 265),
    "quotactl": (179, 60), "memfd_secret": (447, 447), "shmget": (29, 194), "shmat": (30, 196), "shmctl": (31, 195),
    "semget": (64, 190), "msgget": (68, 186), "mq_open": (240, 180), "mq_unlink": (241, 181), "semctl": (66, 191), "msgctl": (71, 187),
    "adjtimex": (159, 171), "kcmp": (312, 272),
    "sched_setscheduler": (144, 119), "ioprio_set": (251, 30), "move_pages": (279, 239), "getpid": (39, 172),
    "settimeofday": (164, 170), "lookup_dcookie": (212, 18), "vhangup": (153, 58), "request_key": (249, 218),
}  # fmt: skip


def call(name: str, *arguments: object) -> int:
    """Make a system call by its number, past any wrapper in libc; raise OSError if it fails."""
    number = _CALLS[name][_COLUMN] if _COLUMN >= 0 else -1
    if number < 0:
        raise OSError(errno.ENOSYS, name)
    wide = [ctypes.c_long(part) if isinstance(part, int) else part for part in arguments]
    done = int(_libc.syscall(ctypes.c_long(number), *wide))
    if done < 0:
        raise OSError(ctypes.get_errno(), f"{name}: {os.strerror(ctypes.get_errno())}")
    return done


def reaches(name: str, *arguments: object) -> bool:
    """True if the call got as far as the kernel's check of its arguments, which are invalid on purpose.

    EPERM, ENOSYS and EACCES mean that the caller was refused before.
    """
    try:
        call(name, *arguments)
    except OSError as problem:
        return problem.errno not in (errno.EPERM, errno.ENOSYS, errno.EACCES)
    return True


def writes(path: str) -> bool:
    """Create a file in this folder and remove it again."""
    name = f"{path}/whet-probe-{os.getpid()}"
    os.close(os.open(name, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
    os.unlink(name)
    return True


def content(path: str) -> bytes:
    with open(path, "rb") as file:
        return file.read(1 << 20)


def same_again(path: str) -> bool:
    """Write to a kernel setting the value that it already has."""
    value = content(path)
    descriptor = os.open(path, os.O_WRONLY)
    try:
        return os.write(descriptor, value) > 0
    finally:
        os.close(descriptor)


def pids() -> list[int]:
    return [int(name) for name in os.listdir("/proc") if name.isdigit()]


def somewhere(name: str, needle: bytes) -> bool:
    """True if `/proc/PID/name` of any process contains these bytes; this process and its parent are left out."""
    for pid in pids():
        if pid in (os.getpid(), os.getppid()):
            continue
        try:
            if needle in content(f"/proc/{pid}/{name}"):
                return True
        except OSError:
            continue
    return False
