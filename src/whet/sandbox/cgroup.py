"""A control group for one sandbox: the kernel's own totals of memory, processes and CPU time.

Version 1 where root can make one, version 2 where one can be made beside or below our own. Where none can be made
there is none, and the watchdog counts what it can see; the containment on record says which it was.
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

from whet.sandbox.sandbox import Limits

_ROOT_PROCESSES = 2  # bubblewrap itself and the first process of its namespace
_REMOVE_SECONDS = 1.0
_SOCKETS_SHARE = 8
_numbers = itertools.count()
_useless: list[str] = []


class CannotEnter(Exception):
    """A group can be made, but nothing may be put there; `make` gives none from then on."""


@dataclass(frozen=True)
class Group:
    """`folders` by controller; version 2 has them all in one."""

    version: int
    folders: Mapping[str, Path]

    def limit(self, limits: Limits) -> None:
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
            # What waits in sockets is counted apart there.
            sockets = str(limits.memory_bytes // _SOCKETS_SHARE)
            _write_if_there(self.folders["memory"] / "memory.kmem.tcp.limit_in_bytes", sockets)

    @contextlib.contextmanager
    def entered(self) -> Iterator[None]:
        """What this thread starts meanwhile is in the group from its first moment.

        Only version 1 lets a single thread in, and only that is quick: to move a whole process the kernel waits for
        all processors, about 8 ms. Never the main thread: for the time being it would pay for what all of whet takes.
        """
        homes = {folder.parent for folder in self.folders.values()}
        try:
            self._enter(folder / "tasks" for folder in self.folders.values())
            yield
        finally:
            with contextlib.suppress(CannotEnter):  # then it stays, which costs the group one thread
                self._enter(home / "tasks" for home in homes)

    def add(self, pid: int) -> None:
        self._enter((folder / "cgroup.procs" for folder in set(self.folders.values())), str(pid))

    def _enter(self, files: Iterable[Path], who: str = "0") -> None:
        try:
            for file in files:
                _write(file, who)
        except OSError as problem:
            raise CannotEnter(str(problem)) from problem

    def limit_hit(self) -> str:
        """The limit at which the kernel had to say no, if any."""
        if self._count("memory", "memory.events" if self.version == 2 else "memory.oom_control", "oom_kill"):
            return "memory"
        return "processes" if self._count("pids", "pids.events", "max") else ""

    def cpu_seconds(self) -> float:
        if self.version == 2:
            return self._count("cpu", "cpu.stat", "usage_usec") / 1e6
        return int((self.folders["cpuacct"] / "cpuacct.usage").read_text()) / 1e9

    def remove(self) -> None:
        """Once its processes are dead. One that stays is empty, and the next process of whet removes it."""
        until = time.monotonic() + _REMOVE_SECONDS
        for folder in set(self.folders.values()):
            while not _removed(folder) and time.monotonic() < until:
                time.sleep(0.002)

    def _count(self, controller: str, file: str, key: str) -> int:
        for line in (self.folders[controller] / file).read_text().splitlines():
            name, _, value = line.partition(" ")
            if name == key:
                return int(value)
        return 0


def make(limits: Limits) -> Group | None:
    """A new group with these limits, or None where none can be made."""
    found = _home()
    if found is None or _useless:
        return None
    version, homes = found
    name = f"whet-{os.getpid()}-{next(_numbers)}"
    group = Group(version, {controller: home / name for controller, home in homes.items()})
    try:
        for folder in set(group.folders.values()):
            folder.mkdir()
        group.limit(limits)
    except OSError:
        group.remove()
        return None
    return group


def give_up(why: str) -> None:
    _useless.append(why)


@cache
def _home() -> tuple[int, Mapping[str, Path]] | None:
    """Where groups can be made, found by making one."""
    for version, homes in _candidates():
        if _works(version, homes):
            for home in set(homes.values()):
                _sweep(home)
            return version, homes
    return None


def _candidates() -> list[tuple[int, Mapping[str, Path]]]:
    try:
        mine = _own_groups(Path("/proc/self/cgroup").read_text(), Path("/proc/self/mountinfo").read_text())
    except OSError:
        return []
    found: list[tuple[int, Mapping[str, Path]]] = []
    if all(name in mine for name in ("memory", "pids", "cpuacct")):
        found.append((1, {name: mine[name] for name in ("memory", "pids", "cpuacct")}))
    if "" in mine:
        # A group with processes of its own cannot share out memory: then the one above may.
        homes = [mine[""]] if mine[""].is_mount() else [mine[""], mine[""].parent]
        found += [(2, dict.fromkeys(("memory", "pids", "cpu"), home)) for home in homes]
    return found


def _own_groups(membership: str, mounts: str) -> dict[str, Path]:
    """The folder of our own group for each controller that is mounted; version 2 has the empty name."""
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
    group = Group(version, {controller: home / f"whet-{os.getpid()}-try" for controller, home in homes.items()})
    try:
        for folder in set(group.folders.values()):
            folder.mkdir(exist_ok=True)
        group.limit(Limits(wall_seconds=1))
        group.limit_hit()
        group.cpu_seconds()
    except (OSError, ValueError):
        return False
    else:
        return True
    finally:
        group.remove()


def _sweep(home: Path) -> None:
    """What a process of whet that was killed has left behind."""
    for folder in home.glob("whet-*-*"):
        owner = re.fullmatch(r"whet-(\d+)-\w+", folder.name)
        if owner and not Path(f"/proc/{owner[1]}").exists():
            _removed(folder)


def _removed(folder: Path) -> bool:
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
    """Never makes a file: a folder that is no control group has none of these."""
    descriptor = os.open(path, os.O_WRONLY)
    try:
        os.write(descriptor, text.encode())
    finally:
        os.close(descriptor)
