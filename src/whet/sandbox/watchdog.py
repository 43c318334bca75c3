"""Check a sandbox's totals (processes, memory, CPU time, files) from outside, every few milliseconds.

Limits per process cannot bound these. The processes are read from the sandbox's own /proc, which lists all of them,
however they were started. If a control group counts memory, processes and CPU time, its totals are used instead.
"""

import os
import select
import time
from collections.abc import Sequence

from whet.sandbox.cgroup import ControlGroup
from whet.sandbox.proc_files import (
    GONE,
    children_of,
    is_dead,
    mounted_devices,
    page_table_bytes,
    queued_bytes,
    read_bytes,
    read_text,
    sockets_in_use,
    state_of,
    unnamed_shared_memory,
)
from whet.sandbox.sandbox import JobLimits

_PAGE = os.sysconf("SC_PAGE_SIZE")
_TICKS = os.sysconf("SC_CLK_TCK")
_SOCKET_BUFFER = 2 * 212_992  # bytes that one socket can hold with the kernel's default limits
_TCP_BUFFER = 10 * 1024 * 1024  # bytes up to which the kernel lets the buffers of a TCP connection grow
_FILE_OVERHEAD = 1536  # bytes of kernel memory for a file or folder, besides its content
_LOCKS_READ = 1 << 20  # bytes of the list of file locks: some 20,000 locks, more than any honest test needs
_CHECK_SECONDS = 2.0


class Unwatchable(Exception):
    """The sandbox is no longer as it was built, so its counts cannot be trusted."""


class Watchdog:
    """Counts what one sandbox uses. `scratch` are the mount points that code inside can write to."""

    def __init__(self, limits: JobLimits, group: ControlGroup | None, scratch: Sequence[str]) -> None:
        self._limits = limits
        self._group = group
        self._scratch = scratch
        # Descriptors, once the command runs: the sandbox's /proc, its mountinfo, and the scratch mounts.
        self._proc = self._mounted = -1
        self._mounts: list[int] = []
        self._spent: dict[str, float] = {}  # CPU seconds by process, kept after its end
        # By inode, at the largest size seen: a part that is no longer mapped can still hold memory.
        self._shared: dict[str, int] = {}

    def check(self, first_process: int) -> str:
        """Return the limit that is broken, or "". `first_process` is the host's pid of the first process inside."""
        if self._proc < 0 and not self._open(first_process):
            return self._group.limit_hit() if self._group else ""
        try:
            return self._check()
        except OSError:
            if not is_dead(f"/proc/{first_process}/stat"):
                raise
            return ""  # the sandbox ended during the check

    def _check(self) -> str:
        self._refuse_new_mounts()
        files, bytes_written = self._written()
        if files > self._limits.files or self._has_too_many_locks():
            return "files"
        if self._group:
            over = self._group.cpu_seconds() > self._limits.cpu_total_seconds
            return self._group.limit_hit() or ("cpu" if over else "")
        return self._check_processes(bytes_written + files * _FILE_OVERHEAD + self._socket_bytes())

    def close(self) -> None:
        for descriptor in (self._proc, self._mounted, *self._mounts):
            if descriptor >= 0:
                os.close(descriptor)
        self._proc = self._mounted = -1
        self._mounts = []

    def _open(self, first_process: int) -> bool:
        """Open the sandbox's /proc and scratch mounts; False while bubblewrap still builds them or after the end.

        The first process is bubblewrap's own: code inside can neither end it nor make it look ended.
        """
        try:
            if not children_of(first_process):
                return False
            self._open_mounts(f"/proc/{first_process}")
        except GONE:
            self.close()
            return False
        except (OSError, Unwatchable):
            self.close()
            if not is_dead(f"/proc/{first_process}/stat"):
                raise
            return False
        return True

    def _refuse_new_mounts(self) -> None:
        """Raise Unwatchable if the mounts have changed.

        Code inside cannot mount, but a mount that the host makes below a readable folder appears inside too.
        """
        changed = select.poll()
        changed.register(self._mounted, select.POLLPRI)
        if changed.poll(0):
            raise Unwatchable("the host has mounted something in a folder that can be read inside")

    def _open_mounts(self, inside: str) -> None:
        """Open the mounts by descriptor, and make sure that each path still leads to the device mounted there."""
        self._mounted = os.open(f"{inside}/mountinfo", os.O_RDONLY)
        devices = mounted_devices(f"{inside}/mountinfo")
        self._proc = os.open(f"{inside}/root/proc", os.O_RDONLY | os.O_DIRECTORY)
        for path in self._scratch:
            self._mounts.append(os.open(f"{inside}/root{path}", os.O_PATH | os.O_DIRECTORY))
            if os.fstat(self._mounts[-1]).st_dev != devices.get(os.fsencode(path)):
                raise Unwatchable(f"{path} is no longer where it was mounted")

    def _written(self) -> tuple[int, int]:
        """Return the number of files and bytes in the scratch mounts."""
        files = used = 0
        for mount in self._mounts:
            usage = os.fstatvfs(mount)
            files += usage.f_files - usage.f_ffree
            used += (usage.f_blocks - usage.f_bfree) * usage.f_frsize
        return files, used

    def _has_too_many_locks(self) -> bool:
        """True if the list of file locks is too long. The kernel charges locks to no process and no control group."""
        return len(read_bytes("locks", self._proc, _LOCKS_READ)) == _LOCKS_READ

    def _socket_bytes(self) -> int:
        """Return the bytes that wait in TCP and UDP sockets.

        The tables are read only if there are enough sockets to hold a quarter of the memory limit; else return 0.
        """
        sockets = sockets_in_use(self._read("1", "net/sockstat") + self._read("1", "net/sockstat6"))
        if sockets * _TCP_BUFFER < self._limits.memory_bytes // 4:
            return 0
        return sum(queued_bytes(self._read("1", f"net/{kind}")) for kind in ("tcp", "tcp6", "udp", "udp6"))

    def _check_processes(self, memory: int) -> str:
        """Sum threads, CPU time and memory over all processes; `memory` is what was counted elsewhere."""
        threads, seconds = 0, 0.0
        shared: dict[str, int] = {}
        until = time.monotonic() + _CHECK_SECONDS
        for pid in self._processes():
            if pid == "1":
                continue  # bubblewrap itself
            if time.monotonic() > until:
                raise Unwatchable(f"checking all of its processes takes more than {_CHECK_SECONDS:.0f} s")
            try:
                threads += self._threads(pid)
                seconds += self._cpu_seconds(pid)
                place = self._live_place(pid)
                memory += self._memory(place)
                for inode, size in unnamed_shared_memory(self._read(place, "maps")):
                    shared[inode] = max(size, shared.get(inode, 0), self._shared.get(inode, 0))
            except GONE:
                continue
            except OSError:
                if not is_dead(f"{pid}/stat", self._proc):
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

    def _live_place(self, pid: str) -> str:
        """Return the process's folder in /proc, or that of a live thread if its first thread has ended.

        The files of an ended first thread show nothing of the memory that the other threads still use.
        """
        if state_of(self._read(pid, "stat")) not in "ZX":
            return pid
        for thread in os.listdir(f"/proc/self/fd/{self._proc}/{pid}/task"):
            place = f"{pid}/task/{thread}"
            if state_of(self._read(place, "stat")) not in "ZX":
                return place
        return pid

    def _threads(self, pid: str) -> int:
        # The link count of a folder is the number of folders in it, plus two; `task` has one for each thread.
        return max(os.stat(f"{pid}/task", dir_fd=self._proc).st_nlink - 2, 1)

    def _memory(self, place: str) -> int:
        """Return a process's private memory, page tables and possible socket buffers.

        Shared memory is counted elsewhere: as a file of a scratch mount, or as an unnamed mapping in `maps`.
        """
        _, resident, shared, *_ = self._read(place, "statm").split()
        private = max(int(resident) - int(shared), 0) * _PAGE
        return private + page_table_bytes(self._read(place, "status")) + self._descriptors(place) * _SOCKET_BUFFER

    def _descriptors(self, place: str) -> int:
        """Return the number of open descriptors; each could be a socket whose full buffer counts for no process."""
        return os.stat(f"{place}/fd", dir_fd=self._proc).st_size or len(
            os.listdir(f"/proc/self/fd/{self._proc}/{place}/fd")
        )

    def _cpu_seconds(self, pid: str) -> float:
        """Return the CPU time of a process and of the children that it has waited for.

        Its own time is also noted in `_spent`: if no parent waits for the process, its time is lost with its end.
        """
        fields = self._read(pid, "stat").rpartition(")")[2].split()
        own, children = sum(map(int, fields[11:13])), sum(map(int, fields[13:15]))
        self._spent[f"{pid} {fields[19]}"] = own / _TICKS
        return (own + children) / _TICKS

    def _read(self, place: str, name: str) -> str:
        return read_text(f"{place}/{name}", self._proc)
