"""The identity of a process, which stays unique when the operating system reuses its pid."""

import os
import platform
from dataclasses import dataclass
from pathlib import Path

from whet.errors import StateUnusable

_PROC = Path("/proc")
_DEAD = ("Z", "X")  # states in /proc: zombie, dead


@dataclass(frozen=True)
class ProcessIdentity:
    """A process: its machine, boot, pid namespace, pid and start time. `str` gives the stored form."""

    machine: str
    boot: str
    namespace: str
    pid: int
    started: str  # in clock ticks since boot

    def __str__(self) -> str:
        return " ".join((self.machine, self.boot, self.namespace, str(self.pid), self.started))

    def is_gone(self, observer: "ProcessIdentity") -> bool:
        """True if `observer`, the current process, can be sure that this process has ended.

        A process on another machine or in another pid namespace cannot be seen, so it counts as alive.
        """
        if self.machine != observer.machine:
            return False
        if self.boot != observer.boot:
            return True
        return self.namespace == observer.namespace and _started(self.pid) != self.started


def this_process() -> ProcessIdentity:
    """Return the identity of the current process."""
    pid = os.getpid()
    started = _started(pid)
    if started is None:
        raise StateUnusable(
            "/proc does not show this process", "mount /proc: whet needs it to see which processes still run"
        )
    return ProcessIdentity(
        machine="".join(platform.node().split()) or "?",
        boot=(_PROC / "sys/kernel/random/boot_id").read_text().strip(),
        namespace=str((_PROC / "self/ns/pid").readlink()),
        pid=pid,
        started=started,
    )


def parse(text: str) -> ProcessIdentity | None:
    """Return the identity in its stored form; None if the text has another form."""
    parts = text.split(" ")
    if len(parts) != 5 or not all(parts) or not (parts[3].isascii() and parts[3].isdigit()):
        return None
    return ProcessIdentity(parts[0], parts[1], parts[2], int(parts[3]), parts[4])


def _started(pid: int) -> str | None:
    """Return the start time of a process in clock ticks since boot; None if it does not exist or is a zombie."""
    try:
        text = (_PROC / str(pid) / "stat").read_text(errors="replace")
    except (FileNotFoundError, ProcessLookupError):
        return None
    state, *fields = text.rpartition(")")[2].split()
    return None if state in _DEAD else fields[18]
