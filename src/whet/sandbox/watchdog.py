"""What no limit of a single process can bound, looked at from outside every few milliseconds.

The processes are those that the sandbox's own /proc lists: whatever was forked, by whichever thread, however deep.
Where a control group counts memory, processes and CPU time, the kernel's totals are taken instead.
"""

import os
from collections.abc import Iterator, Sequence

from whet.sandbox.cgroup import Group
from whet.sandbox.sandbox import Limits

_PAGE = os.sysconf("SC_PAGE_SIZE")
_TICKS = os.sysconf("SC_CLK_TCK")
_UNNAMED = ("/dev/zero (deleted)", "/memfd:", "/SYSV")  # shared memory that belongs to no file system of the sandbox
_BUFFER = 2 * 212_992  # what one socket can hold where nobody has raised the kernel's own limit
_EXITING = 0x4
_GONE = (FileNotFoundError, ProcessLookupError)


class Unwatchable(Exception):
    """The sandbox does not look as it was built, so nothing that is counted in it can be believed."""


class Watchdog:
    """`scratch` are the mount points that can be written to. `look` names the limit that is broken, if any."""

    def __init__(self, limits: Limits, group: Group | None, scratch: Sequence[str]) -> None:
        self._limits = limits
        self._group = group
        self._scratch = scratch
        self._proc = -1
        self._mounts: list[int] = []
        self._spent: dict[str, float] = {}

    def look(self, first_process: int) -> str:
        if self._proc < 0 and not self._open(first_process):
            return self._group.limit_hit() if self._group else ""
        files, bytes_written = self._written()
        if files > self._limits.files:
            return "files"
        if self._group:
            over = self._group.cpu_seconds() > self._limits.cpu_total_seconds
            return self._group.limit_hit() or ("cpu" if over else "")
        return self._look_at_processes(bytes_written)

    def close(self) -> None:
        for descriptor in (self._proc, *self._mounts):
            if descriptor >= 0:
                os.close(descriptor)
        self._proc, self._mounts = -1, []

    def _open(self, first_process: int) -> bool:
        """Hold the sandbox's /proc and its scratch mounts, once the command runs: until then they are being built."""
        try:
            commands = _children(first_process)
        except _GONE:
            return False
        if not commands:
            return False
        try:
            self._hold(f"/proc/{commands[0]}")
        except (OSError, Unwatchable):
            self.close()
            if not _is_dead(f"/proc/{commands[0]}/stat"):
                raise
            return False
        return True

    def _hold(self, inside: str) -> None:
        devices = _devices(f"{inside}/mountinfo")
        self._proc = os.open(f"{inside}/root/proc", os.O_RDONLY | os.O_DIRECTORY)
        for path in self._scratch:
            self._mounts.append(os.open(f"{inside}/root{path}", os.O_PATH | os.O_DIRECTORY))
            if os.fstat(self._mounts[-1]).st_dev != devices.get(path):
                raise Unwatchable(f"{path} is no longer where it was mounted")

    def _written(self) -> tuple[int, int]:
        files = used = 0
        for mount in self._mounts:
            found = os.fstatvfs(mount)
            files += found.f_files - found.f_ffree
            used += (found.f_blocks - found.f_bfree) * found.f_frsize
        return files, used

    def _look_at_processes(self, bytes_written: int) -> str:
        threads, memory, seconds = 0, bytes_written, 0.0
        shared: dict[str, int] = {}
        for pid in self._processes():
            if pid == "1":
                continue  # bubblewrap's own
            try:
                threads += self._threads(pid)
                memory += self._private(pid) + self._descriptors(pid) * _BUFFER
                seconds += self._cpu_seconds(pid)
                shared |= dict(_shared(self._read(pid, "maps")))
            except _GONE:
                continue
            except OSError:
                if not _is_dead(f"{pid}/stat", self._proc):
                    raise
        if threads > self._limits.processes:
            return "processes"
        if memory + sum(shared.values()) > self._limits.memory_bytes:
            return "memory"
        seconds = max(seconds, sum(self._spent.values()))
        return "cpu" if seconds > self._limits.cpu_total_seconds else ""

    def _processes(self) -> list[str]:
        return [name for name in os.listdir(self._proc) if name.isdigit()]

    def _threads(self, pid: str) -> int:
        return max(os.stat(f"{pid}/task", dir_fd=self._proc).st_nlink - 2, 1)

    def _private(self, pid: str) -> int:
        """What it has for itself; what it shares is a file, counted where it lies, or has no name and is in `maps`."""
        _, resident, shared, *_ = self._read(pid, "statm").split()
        return max(int(resident) - int(shared), 0) * _PAGE

    def _descriptors(self, pid: str) -> int:
        """Each could be a socket with a full buffer, which is memory that no process has."""
        return os.stat(f"{pid}/fd", dir_fd=self._proc).st_size or len(
            os.listdir(f"/proc/self/fd/{self._proc}/{pid}/fd")
        )

    def _cpu_seconds(self, pid: str) -> float:
        """Its own and that of the children it has waited for; its own is kept too, since nobody need wait for it."""
        fields = self._read(pid, "stat").rpartition(")")[2].split()
        own, children = sum(map(int, fields[11:13])), sum(map(int, fields[13:15]))
        self._spent[f"{pid} {fields[19]}"] = own / _TICKS
        return (own + children) / _TICKS

    def _read(self, pid: str, name: str) -> str:
        return _text(f"{pid}/{name}", self._proc)


def _text(path: str, folder: int | None = None) -> str:
    descriptor = os.open(path, os.O_RDONLY, dir_fd=folder)
    with open(descriptor, "rb") as file:
        return file.read().decode(errors="replace")


def _is_dead(stat: str, folder: int | None = None) -> bool:
    """Gone, not waited for yet, or on its way: there is nothing left of it to look at."""
    try:
        state, *fields = _text(stat, folder).rpartition(")")[2].split()
    except _GONE:
        return True
    return state in "ZX" or bool(int(fields[5]) & _EXITING)


def _children(pid: int) -> list[str]:
    with open(f"/proc/{pid}/task/{pid}/children", encoding="ascii") as file:
        return file.read().split()


def _devices(mountinfo: str) -> dict[str, int]:
    found = {}
    with open(mountinfo, encoding="utf-8", errors="surrogateescape") as file:
        for line in file:
            _, _, device, _, point, *_ = line.split()
            major, minor = device.split(":")
            found[_unescaped(point)] = os.makedev(int(major), int(minor))
    return found


def _unescaped(point: str) -> str:
    for code, character in (("\\040", " "), ("\\011", "\t"), ("\\012", "\n"), ("\\134", "\\")):
        point = point.replace(code, character)
    return point


def _shared(maps: str) -> Iterator[tuple[str, int]]:
    """Each piece of nameless shared memory by its inode, at its full size: dropped pages stay in it unseen."""
    for line in maps.splitlines():
        span, modes, _, _, inode, *name = line.split(maxsplit=5)
        if modes.endswith("s") and name and name[0].startswith(_UNNAMED):
            start, _, end = span.partition("-")
            yield f"{inode} {start}", int(end, 16) - int(start, 16)
