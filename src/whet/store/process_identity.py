"""Who holds a reservation: one process, told apart from every other that had or will have its number."""

import os
import platform
from dataclasses import dataclass
from pathlib import Path

from whet.errors import StateUnusable

_PROC = Path("/proc")
_DEAD = ("Z", "X")


@dataclass(frozen=True)
class ProcessIdentity:
    machine: str
    boot: str
    namespace: str
    pid: int
    started: str

    def __str__(self) -> str:
        return " ".join((self.machine, self.boot, self.namespace, str(self.pid), self.started))

    def is_gone(self, looker: "Holder") -> bool:
        """Whether `looker` can be sure that this process has ended. What runs on another machine or in another
        process namespace cannot be seen from here, so it is taken to live, and what it holds counts for its day."""
        if self.machine != looker.machine:
            return False
        if self.boot != looker.boot:
            return True
        return self.namespace == looker.namespace and _started(self.pid) != self.started


def this_process() -> ProcessIdentity:
    pid = os.getpid()
    started = _started(pid)
    if started is None:
        raise StateUnusable("/proc does not show this process", "mount /proc: whet tells by it who still runs")
    return ProcessIdentity(
        machine="".join(platform.node().split()) or "?",
        boot=(_PROC / "sys/kernel/random/boot_id").read_text().strip(),
        namespace=str((_PROC / "self/ns/pid").readlink()),
        pid=pid,
        started=started,
    )


def parse(text: str) -> ProcessIdentity | None:
    parts = text.split(" ")
    if len(parts) != 5 or not all(parts) or not (parts[3].isascii() and parts[3].isdigit()):
        return None
    return ProcessIdentity(parts[0], parts[1], parts[2], int(parts[3]), parts[4])


def _started(pid: int) -> str | None:
    """When a process began, in ticks since the boot; None where there is none, or only what its parent has not buried."""
    try:
        text = (_PROC / str(pid) / "stat").read_text(errors="replace")
    except (FileNotFoundError, ProcessLookupError):
        return None
    state, *fields = text.rpartition(")")[2].split()
    return None if state in _DEAD else fields[18]
