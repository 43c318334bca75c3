"""Read and parse the kernel's files in /proc. Their content is partly chosen by code inside the sandbox."""

import os
from collections.abc import Iterator

GONE = (FileNotFoundError, ProcessLookupError)  # a process has ended while its files were read
_EXITING = 0x4  # PF_EXITING in the flags of /proc/PID/stat
_UNNAMED = ("/dev/zero (deleted)", "/memfd:", "/SYSV")  # shared memory that is not a file of the sandbox


def read_text(path: str, folder: int | None = None) -> str:
    return read_bytes(path, folder).decode(errors="replace")


def read_bytes(path: str, folder: int | None = None, limit: int = -1) -> bytes:
    """Read a file; a relative path is resolved from the folder with the descriptor `folder`."""
    descriptor = os.open(path, os.O_RDONLY, dir_fd=folder)
    with open(descriptor, "rb") as file:
        return file.read(limit)


def state_of(stat: str) -> str:
    """Return the state in the text of /proc/PID/stat; it follows the last ")", since a name may contain one."""
    return stat.rpartition(")")[2].split()[0]


def is_dead(stat: str, folder: int | None = None) -> bool:
    """True if a process is gone, a zombie, or exiting, so that its files in /proc may be unreadable."""
    try:
        state, *fields = read_text(stat, folder).rpartition(")")[2].split()
    except GONE:
        return True
    return state in "ZX" or bool(int(fields[5]) & _EXITING)


def children_of(pid: int) -> list[str]:
    """Return the children of a process's first thread."""
    with open(f"/proc/{pid}/task/{pid}/children", encoding="ascii") as file:
        return file.read().split()


def mounted_devices(mountinfo: str) -> dict[bytes, int]:
    """Return the device number of each mount point. Fields are split at spaces only: other white space is not escaped."""
    devices = {}
    for line in read_bytes(mountinfo).split(b"\n")[:-1]:
        _, _, device, _, point, *_ = line.split(b" ")
        major, minor = device.split(b":")
        devices[_unescaped(point)] = os.makedev(int(major), int(minor))
    return devices


def _unescaped(point: bytes) -> bytes:
    """Undo the kernel's octal escapes of space, tab, newline and backslash."""
    for code, character in ((b"\\040", b" "), (b"\\011", b"\t"), (b"\\012", b"\n"), (b"\\134", b"\\")):
        point = point.replace(code, character)
    return point


def unnamed_shared_memory(maps: str) -> Iterator[tuple[str, int]]:
    """Yield each unnamed shared memory mapping: its inode and the size that it has at least.

    Lines end at newlines only: the name of a mapped file can contain other line separators, to forge a line.
    """
    for line in maps.split("\n")[:-1]:
        span, modes, offset, _, inode, *name = line.split(maxsplit=5)
        if modes.endswith("s") and name and name[0].startswith(_UNNAMED):
            start, _, end = span.partition("-")
            yield inode, int(offset, 16) + int(end, 16) - int(start, 16)


def page_table_bytes(status: str) -> int:
    """Return the bytes of page tables in the text of /proc/PID/status."""
    return 1024 * sum(int(line.split()[1]) for line in status.split("\n") if line.startswith("VmPTE:"))


def sockets_in_use(sockstat: str) -> int:
    """Return the number of TCP and UDP sockets in the text of /proc/net/sockstat."""
    return sum(
        int(line.split()[2]) for line in sockstat.split("\n") if line.startswith(("TCP: ", "UDP: ", "TCP6: ", "UDP6: "))
    )


def queued_bytes(table: str) -> int:
    """Return the memory of the queues in one of the kernel's socket tables: about twice the bytes that wait in them."""
    queues = [line.split()[4].split(":") for line in table.split("\n")[1:] if line]
    return 2 * sum(int(queue, 16) for pair in queues for queue in pair)
