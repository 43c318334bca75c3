"""Probes of the file system: writing outside the scratch folders, and reading files of the host."""

import os
import stat
import sys

from whet.sandbox.probes.probe import Facts, call, content, each, pids, probe, writes

PLACES = ("/usr", "/etc", "/", "/bin", "/var", "/opt", "/usr/lib", "/usr/local/bin", "/root", "/home", "/run")
each("filesystem", "writes to {}", PLACES, lambda bait, place: writes(place))


@probe("filesystem", "writes to the interpreter's own folder")
def interpreter(bait: Facts) -> object:
    return writes(os.path.dirname(os.__file__))


@probe("filesystem", "writes to the folder of the interpreter's programs")
def programs(bait: Facts) -> object:
    return writes(os.path.dirname(os.path.realpath(sys.executable)))


@probe("filesystem", "changes a file in the host's temporary folder")
def change(bait: Facts) -> object:
    descriptor = os.open(bait["file"], os.O_WRONLY | os.O_APPEND)
    os.close(descriptor)
    return True


@probe("filesystem", "lists a folder of the host")
def list_folder(bait: Facts) -> object:
    return os.listdir(os.path.dirname(bait["file"]))


@probe("filesystem", "reads a file of the host")
def read(bait: Facts) -> object:
    return content(bait["file"]) == bait["token"].encode()


@probe("filesystem", "follows a link to a file of the host")
def follow(bait: Facts) -> object:
    link = f"{bait['scratch']}/link-{os.getpid()}"
    os.symlink(bait["file"], link)
    try:
        return content(link) == bait["token"].encode()
    finally:
        os.unlink(link)


@probe("filesystem", "makes a hard link to a file of the host")
def hard_link(bait: Facts) -> object:
    name = f"{bait['file']}.{os.getpid()}"
    os.link(bait["file"], name)
    os.unlink(name)
    return True


@probe("filesystem", "gets to a file of the host through /proc/PID/root")
def through_root(bait: Facts) -> object:
    return any(_reads(f"/proc/{pid}/root{bait['file']}", bait) for pid in pids())


@probe("filesystem", "gets to a file of the host through /proc/PID/cwd")
def through_cwd(bait: Facts) -> object:
    return any(_reads(f"/proc/{pid}/cwd/{os.path.basename(bait['file'])}", bait) for pid in pids())


@probe("filesystem", "gets to a file of the host through the descriptors of another process")
def through_descriptors(bait: Facts) -> object:
    return _reads(f"/proc/{bait['pid']}/fd/{bait['descriptor']}", bait)


@probe("filesystem", "climbs out with ..")
def climb(bait: Facts) -> object:
    return _reads("/" + "../" * 30 + bait["file"], bait)


@probe("filesystem", "opens a file of the host by its handle")
def by_handle(bait: Facts) -> object:
    import ctypes

    handle = ctypes.create_string_buffer(b"\x80\0\0\0" + bytes(132))
    mount = ctypes.c_int()
    call("name_to_handle_at", -100, b"/usr", handle, ctypes.byref(mount), 0)
    folder = os.open("/usr", os.O_RDONLY)
    return call("open_by_handle_at", folder, handle, os.O_RDONLY)


@probe("filesystem", "sees what is installed on the host")
def installed(bait: Facts) -> object:
    return os.listdir("/var/lib/dpkg") or os.listdir("/var/lib/rpm")


@probe("filesystem", "sees the homes of the host's users")
def homes(bait: Facts) -> object:
    return [name for name in os.listdir("/home") if name != "sandbox" and os.listdir(f"/home/{name}") is not None]


@probe("filesystem", "sees the root user's home")
def root_home(bait: Facts) -> object:
    needed = sys.base_prefix.split("/")[2:3] if sys.base_prefix.startswith("/root/") else []
    return [name for name in os.listdir("/root") if name not in needed]


@probe("filesystem", "sees the host's logs")
def logs(bait: Facts) -> object:
    return os.listdir("/var/log")


@probe("filesystem", "lists /run of the host")
def run(bait: Facts) -> object:
    return os.listdir("/run")


@probe("filesystem", "makes a device node")
def node(bait: Facts) -> object:
    name = f"{bait['scratch']}/node-{os.getpid()}"
    os.mknod(name, stat.S_IFCHR | 0o600, os.makedev(1, 3))
    try:
        return os.open(name, os.O_RDONLY) >= 0
    finally:
        os.unlink(name)


@probe("filesystem", "changes the times of a host program")
def times(bait: Facts) -> object:
    status = os.stat("/usr/bin/env")
    os.utime("/usr/bin/env", ns=(status.st_atime_ns, status.st_mtime_ns))
    return True


@probe("filesystem", "changes the mode of a host program")
def mode(bait: Facts) -> object:
    os.chmod("/usr/bin/env", stat.S_IMODE(os.stat("/usr/bin/env").st_mode))
    return True


@probe("filesystem", "sees another mount of the host")
def other_mounts(bait: Facts) -> object:
    return b" /sys " in content("/proc/self/mountinfo") or b"/oldroot" in content("/proc/self/mountinfo")


def _reads(path: str, bait: Facts) -> bool:
    try:
        return bool(content(path) == bait["token"].encode())
    except OSError:
        return False
