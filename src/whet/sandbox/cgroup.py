"""A control group for one sandbox: the kernel limits its total memory and processes and counts its CPU time.

Version 1 if root can make one; version 2 if one can be made below or beside our own group. Otherwise the watchdog
counts. The recorded containment says which of them it was.
"""

import contextlib
import itertools
import os
import re
import time
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from whet.sandbox.sandbox import JobLimits

_ROOT_PROCESSES = 2  # bubblewrap itself and the first process of its namespace
_REMOVE_SECONDS = 1.0
_SOCKETS_SHARE = 8  # one part in eight of the memory limit, again, for TCP buffers
_numbers = itertools.count()
_reasons_given_up: list[str] = []


class CannotEnter(Exception):
    """A group can be made, but no process can be moved into it; after `give_up`, `make` returns None."""


@dataclass(frozen=True)
class ControlGroup:
    """A control group; `folders` maps each controller to its folder, the same for all in version 2."""

    version: int
    folders: Mapping[str, Path]

    def limit(self, limits: JobLimits) -> None:
        """Set the limits of memory and processes."""
        memory, processes = str(limits.memory_bytes), str(limits.processes + _ROOT_PROCESSES)
        _write(self.folders["pids"] / "pids.max", processes)
        if self.version == 2:
            _write(self.folders["memory"] / "memory.max", memory)
            _write_if_there(self.folders["memory"] / "memory.swap.max", "0")
            _write_if_there(self.folders["memory"] / "memory.oom.group", "1")
        else:
            _write(self.folders["memory"] / "memory.limit_in_bytes", memory)
            if _counts_swap(self.folders["memory"].parent):
                _write(self.folders["memory"] / "memory.memsw.limit_in_bytes", memory)
            # Version 1 counts the memory of TCP buffers separately.
            sockets = str(limits.memory_bytes // _SOCKETS_SHARE)
            _write_if_there(self.folders["memory"] / "memory.kmem.tcp.limit_in_bytes", sockets)

    @contextlib.contextmanager
    def entered(self) -> Iterator[None]:
        """Move this thread into the group, so that its children are in the group from their first instruction.

        Version 1 can move a single thread, which is quick; moving a whole process makes the kernel wait for all
        processors, about 8 ms. Never call this in the main thread: memory of the whole of whet would be charged to
        the group meanwhile.
        """
        homes = {folder.parent for folder in self.folders.values()}
        try:
            self._enter(folder / "tasks" for folder in self.folders.values())
            yield
        finally:
            with contextlib.suppress(CannotEnter):  # the thread stays in the group and counts as one of its processes
                self._enter(home / "tasks" for home in homes)

    def add(self, pid: int) -> None:
        """Move a process into the group."""
        self._enter((folder / "cgroup.procs" for folder in set(self.folders.values())), str(pid))

    def _enter(self, files: Iterable[Path], pid: str = "0") -> None:
        """Write a process or thread id to these files; 0 is the writing thread itself."""
        try:
            for file in files:
                _write(file, pid)
        except OSError as problem:
            raise CannotEnter(str(problem)) from problem

    def limit_hit(self) -> str:
        """Return the limit that the kernel had to enforce, "memory" or "processes", or ""."""
        if self._count("memory", "memory.events" if self.version == 2 else "memory.oom_control", "oom_kill"):
            return "memory"
        return "processes" if self._count("pids", "pids.events", "max") else ""

    def cpu_seconds(self) -> float:
        """Return the CPU time of everything that has run in the group."""
        if self.version == 2:
            return self._count("cpu", "cpu.stat", "usage_usec") / 1e6
        return int((self.folders["cpuacct"] / "cpuacct.usage").read_text()) / 1e9

    def remove(self) -> None:
        """Remove the group after its processes have ended; if it cannot be removed yet, a later process of whet does."""
        until = time.monotonic() + _REMOVE_SECONDS
        for folder in set(self.folders.values()):
            while not _removed(folder) and time.monotonic() < until:
                time.sleep(0.002)

    def _count(self, controller: str, file: str, key: str) -> int:
        """Return the value of a key in one of the group's files, 0 if the key is missing."""
        for line in (self.folders[controller] / file).read_text().splitlines():
            name, _, value = line.partition(" ")
            if name == key:
                return int(value)
        return 0


def make(limits: JobLimits) -> ControlGroup | None:
    """Return a new group with these limits, or None if none can be made."""
    usable = _home()
    if usable is None or _reasons_given_up:
        return None
    version, homes = usable
    name = f"whet-{os.getpid()}-{next(_numbers)}"
    group = ControlGroup(version, {controller: home / name for controller, home in homes.items()})
    try:
        for folder in set(group.folders.values()):
            folder.mkdir()
        group.limit(limits)
    except OSError:
        group.remove()
        return None
    return group


def give_up(reason: str) -> None:
    """Make no more groups in this process."""
    _reasons_given_up.append(reason)


@cache
def _home() -> tuple[int, Mapping[str, Path]] | None:
    """Return the cgroup version and the parent folders in which this process can create groups; None if it cannot.

    Each candidate is tried by creating a group in it.
    """
    for version, homes in _candidates():
        if _works(version, homes):
            for home in set(homes.values()):
                _remove_stale_groups(home)
            return version, homes
    return None


def _candidates() -> list[tuple[int, Mapping[str, Path]]]:
    """Return the versions and parent folders to try, in this order."""
    try:
        mine = _own_groups(Path("/proc/self/cgroup").read_text(), Path("/proc/self/mountinfo").read_text())
    except OSError:
        return []
    candidates: list[tuple[int, Mapping[str, Path]]] = []
    if all(name in mine for name in ("memory", "pids", "cpuacct")):
        candidates.append((1, {name: mine[name] for name in ("memory", "pids", "cpuacct")}))
    if "" in mine:
        # In version 2 a group that has processes cannot limit the memory of groups below it; its parent may be able to.
        homes = [mine[""]] if mine[""].is_mount() else [mine[""], mine[""].parent]
        candidates += [(2, dict.fromkeys(("memory", "pids", "cpu"), home)) for home in homes]
    return candidates


def _own_groups(membership: str, mounts: str) -> dict[str, Path]:
    """Return the folder of our own group by controller; version 2 has the empty name.

    `membership` and `mounts` are the contents of /proc/self/cgroup and /proc/self/mountinfo.
    """
    mounted: dict[str, tuple[str, str]] = {}
    for line in mounts.splitlines():
        left, _, right = line.partition(" - ")
        root, point = left.split()[3:5]
        kind, _, options = right.split()[:3]
        if kind == "cgroup2":
            mounted[""] = (root, point)
        elif kind == "cgroup":
            mounted |= dict.fromkeys(options.split(","), (root, point))
    groups = {}
    for line in membership.splitlines():
        _, controllers, path = line.split(":", 2)
        for name in controllers.split(","):
            if name in mounted:
                root, point = mounted[name]
                below = os.path.relpath(path, root)
                groups[name] = Path(os.path.normpath(f"{point}/{below}" if not below.startswith("..") else point))
    return groups


def _works(version: int, homes: Mapping[str, Path]) -> bool:
    """True if a group can be made here, limited and read."""
    group = ControlGroup(version, {controller: home / f"whet-{os.getpid()}-try" for controller, home in homes.items()})
    try:
        for folder in set(group.folders.values()):
            folder.mkdir(exist_ok=True)
        group.limit(JobLimits(wall_seconds=1))
        group.limit_hit()
        group.cpu_seconds()
    except (OSError, ValueError):
        return False
    else:
        return True
    finally:
        group.remove()


def _remove_stale_groups(home: Path) -> None:
    """Remove groups of processes of whet that no longer exist."""
    for folder in home.glob("whet-*-*"):
        owner = re.fullmatch(r"whet-(\d+)-\w+", folder.name)
        if owner and not Path(f"/proc/{owner[1]}").exists():
            _removed(folder)


def _removed(folder: Path) -> bool:
    """Remove a group's folder; False if it still has processes."""
    try:
        folder.rmdir()
    except FileNotFoundError:
        return True
    except OSError:
        return False
    return True


@cache
def _counts_swap(home: Path) -> bool:
    return (home / "memory.memsw.limit_in_bytes").exists()


def _write_if_there(path: Path, text: str) -> None:
    with contextlib.suppress(FileNotFoundError, PermissionError):
        _write(path, text)


def _write(path: Path, text: str) -> None:
    """Write to an existing file. Never create one: a folder that is not a control group has no such file."""
    descriptor = os.open(path, os.O_WRONLY)
    try:
        os.write(descriptor, text.encode())
    finally:
        os.close(descriptor)
