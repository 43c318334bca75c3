"""What no limit of a single process can bound, looked at from outside every few milliseconds.

The processes are those that the sandbox's own /proc lists: whatever was forked, by whichever thread, however deep.
Where a control group counts memory, processes and CPU time, the kernel's totals are taken instead.
"""

import os
import select
import time
from collections.abc import Iterator, Sequence

from whet.sandbox.cgroup import Group
from whet.sandbox.sandbox import Limits

_PAGE = os.sysconf("SC_PAGE_SIZE")
_TICKS = os.sysconf("SC_CLK_TCK")
_UNNAMED = ("/dev/zero (deleted)", "/memfd:", "/SYSV")  # shared memory that belongs to no file system of the sandbox
_BUFFER = 2 * 212_992  # what one socket can hold where nobody has raised the kernel's own limit
_SOCKET = 10 * 1024 * 1024  # and what a TCP connection can, as far as the kernel lets it grow by itself
_FILE = 1536  # what the kernel keeps of a file or folder beside its content
_LOCKS_READ = 1 << 20  # of the list of file locks: some 20,000 of them, and nobody needs as many
_LOOK_SECONDS = 2.0
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
        self._proc = self._mounted = -1
        self._mounts: list[int] = []
        self._spent: dict[str, float] = {}
        self._shared: dict[str, int] = {}  # at the largest size seen: what is no longer mapped may still be there

    def look(self, first_process: int) -> str:
        if self._proc < 0 and not self._open(first_process):
            return self._group.limit_hit() if self._group else ""
        try:
            return self._look()
        except OSError:
            if not _is_dead(f"/proc/{first_process}/stat"):
                raise
            return ""  # it ended in the middle of the look, as all do

    def _look(self) -> str:
        self._refuse_new_mounts()
        files, bytes_written = self._written()
        if files > self._limits.files or self._has_too_many_locks():
            return "files"
        if self._group:
            over = self._group.cpu_seconds() > self._limits.cpu_total_seconds
            return self._group.limit_hit() or ("cpu" if over else "")
        return self._look_at_processes(bytes_written + files * _FILE + self._socket_bytes())

    def close(self) -> None:
        for descriptor in (self._proc, self._mounted, *self._mounts):
            if descriptor >= 0:
                os.close(descriptor)
        self._proc = self._mounted = -1
        self._mounts = []

    def _open(self, first_process: int) -> bool:
        """Hold the sandbox's /proc and its scratch mounts, once the command runs: until then they are being built.

        The first process is bubblewrap's own: no code inside can end it, or make it look as if it had ended.
        """
        try:
            if not _children(first_process):
                return False
            self._hold(f"/proc/{first_process}")
        except _GONE:
            self.close()
            return False
        except (OSError, Unwatchable):
            self.close()
            if not _is_dead(f"/proc/{first_process}/stat"):
                raise
            return False
        return True

    def _refuse_new_mounts(self) -> None:
        """Nobody inside can mount, but what the host mounts below a folder that is shown inside is there too."""
        changed = select.poll()
        changed.register(self._mounted, select.POLLPRI)
        if changed.poll(0):
            raise Unwatchable("the host has mounted something in a folder that can be read inside")

    def _hold(self, inside: str) -> None:
        self._mounted = os.open(f"{inside}/mountinfo", os.O_RDONLY)
        devices = _devices(f"{inside}/mountinfo")
        self._proc = os.open(f"{inside}/root/proc", os.O_RDONLY | os.O_DIRECTORY)
        for path in self._scratch:
            self._mounts.append(os.open(f"{inside}/root{path}", os.O_PATH | os.O_DIRECTORY))
            if os.fstat(self._mounts[-1]).st_dev != devices.get(os.fsencode(path)):
                raise Unwatchable(f"{path} is no longer where it was mounted")

    def _written(self) -> tuple[int, int]:
        files = used = 0
        for mount in self._mounts:
            found = os.fstatvfs(mount)
            files += found.f_files - found.f_ffree
            used += (found.f_blocks - found.f_bfree) * found.f_frsize
        return files, used

    def _has_too_many_locks(self) -> bool:
        """The kernel charges them to nobody, and they can be had by the million."""
        return len(_bytes("locks", self._proc, _LOCKS_READ)) == _LOCKS_READ

    def _socket_bytes(self) -> int:
        """What waits in TCP and UDP sockets. It is looked up where so many sockets could hold too much together."""
        sockets = _sockets_in_use(self._read("1", "net/sockstat") + self._read("1", "net/sockstat6"))
        if sockets * _SOCKET < self._limits.memory_bytes // 4:
            return 0
        return sum(_waiting(self._read("1", f"net/{kind}")) for kind in ("tcp", "tcp6", "udp", "udp6"))

    def _look_at_processes(self, memory: int) -> str:
        threads, seconds = 0, 0.0
        shared: dict[str, int] = {}
        until = time.monotonic() + _LOOK_SECONDS
        for pid in self._processes():
            if pid == "1":
                continue  # bubblewrap's own
            if time.monotonic() > until:
                raise Unwatchable(f"to look at all of its processes takes more than {_LOOK_SECONDS:.0f} s")
            try:
                threads += self._threads(pid)
                seconds += self._cpu_seconds(pid)
                place = self._alive(pid)
                memory += self._memory(place)
                for inode, size in _shared(self._read(place, "maps")):
                    shared[inode] = max(size, shared.get(inode, 0), self._shared.get(inode, 0))
            except _GONE:
                continue
            except OSError:
                if not _is_dead(f"{pid}/stat", self._proc):
                    raise
        self._shared = shared
        if threads > self._limits.processes:
            return "processes"
        if memory + sum(shared.values()) > self._limits.memory_bytes:
            return "memory"
        seconds = max(seconds, sum(self._spent.values()))
        return "cpu" if seconds > self._limits.cpu_total_seconds else ""

    def _processes(self) -> list[str]:
        return [name for name in os.listdir(self._proc) if name.isdigit()]

    def _alive(self, pid: str) -> str:
        """The process, or one of its threads where its first one has ended and shows nothing of it any more."""
        if _state(self._read(pid, "stat")) not in "ZX":
            return pid
        for thread in os.listdir(f"/proc/self/fd/{self._proc}/{pid}/task"):
            place = f"{pid}/task/{thread}"
            if _state(self._read(place, "stat")) not in "ZX":
                return place
        return pid

    def _threads(self, pid: str) -> int:
        return max(os.stat(f"{pid}/task", dir_fd=self._proc).st_nlink - 2, 1)

    def _memory(self, place: str) -> int:
        """What it has for itself; what it shares is a file, counted where it lies, or has no name and is in `maps`."""
        _, resident, shared, *_ = self._read(place, "statm").split()
        private = max(int(resident) - int(shared), 0) * _PAGE
        return private + _page_tables(self._read(place, "status")) + self._descriptors(place) * _BUFFER

    def _descriptors(self, place: str) -> int:
        """Each could be a socket with a full buffer, which is memory that no process has."""
        return os.stat(f"{place}/fd", dir_fd=self._proc).st_size or len(
            os.listdir(f"/proc/self/fd/{self._proc}/{place}/fd")
        )

    def _cpu_seconds(self, pid: str) -> float:
        """Its own and that of the children it has waited for; its own is kept too, since nobody need wait for it."""
        fields = self._read(pid, "stat").rpartition(")")[2].split()
        own, children = sum(map(int, fields[11:13])), sum(map(int, fields[13:15]))
        self._spent[f"{pid} {fields[19]}"] = own / _TICKS
        return (own + children) / _TICKS

    def _read(self, place: str, name: str) -> str:
        return _text(f"{place}/{name}", self._proc)


def _text(path: str, folder: int | None = None) -> str:
    return _bytes(path, folder).decode(errors="replace")


def _bytes(path: str, folder: int | None = None, most: int = -1) -> bytes:
    descriptor = os.open(path, os.O_RDONLY, dir_fd=folder)
    with open(descriptor, "rb") as file:
        return file.read(most)


def _state(stat: str) -> str:
    return stat.rpartition(")")[2].split()[0]


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


def _devices(mountinfo: str) -> dict[bytes, int]:
    """Split at spaces alone: a mount point may have any other white space in its name."""
    found = {}
    for line in _bytes(mountinfo).split(b"\n")[:-1]:
        _, _, device, _, point, *_ = line.split(b" ")
        major, minor = device.split(b":")
        found[_unescaped(point)] = os.makedev(int(major), int(minor))
    return found


def _unescaped(point: bytes) -> bytes:
    for code, character in ((b"\\040", b" "), (b"\\011", b"\t"), (b"\\012", b"\n"), (b"\\134", b"\\")):
        point = point.replace(code, character)
    return point


def _shared(maps: str) -> Iterator[tuple[str, int]]:
    """Each piece of nameless shared memory by its inode, with the size that it has at least.

    A line ends at a newline and nowhere else: the name of a mapped file may have all the others in it.
    """
    for line in maps.split("\n")[:-1]:
        span, modes, offset, _, inode, *name = line.split(maxsplit=5)
        if modes.endswith("s") and name and name[0].startswith(_UNNAMED):
            start, _, end = span.partition("-")
            yield inode, int(offset, 16) + int(end, 16) - int(start, 16)


def _page_tables(status: str) -> int:
    return 1024 * sum(int(line.split()[1]) for line in status.split("\n") if line.startswith("VmPTE:"))


def _sockets_in_use(sockstat: str) -> int:
    return sum(
        int(line.split()[2]) for line in sockstat.split("\n") if line.startswith(("TCP: ", "UDP: ", "TCP6: ", "UDP6: "))
    )


def _waiting(table: str) -> int:
    """Bytes in the queues of one of the kernel's tables of sockets; each takes about twice what it carries."""
    queues = [line.split()[4].split(":") for line in table.split("\n")[1:] if line]
    return 2 * sum(int(queue, 16) for pair in queues for queue in pair)
