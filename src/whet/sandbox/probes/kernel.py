"""Probes of the kernel: settings, devices, namespaces, and system calls that sandboxed code must not reach."""

import ctypes
import mmap
import os
import platform
import time

from whet.sandbox.probes.probe import Facts, call, content, each, probe, reaches, same_again

SETTINGS = ("kernel/hostname", "kernel/core_pattern", "vm/swappiness", "kernel/modprobe", "net/ipv4/ip_forward",
            "kernel/ns_last_pid", "fs/file-max", "kernel/randomize_va_space", "user/max_user_namespaces")  # fmt: skip
DEVICES = ("/dev/kmsg", "/dev/mem", "/dev/kvm", "/dev/fuse", "/dev/net/tun", "/dev/loop-control", "/dev/vda",
           "/dev/sda", "/dev/nvme0n1", "/dev/port", "/dev/vhost-vsock", "/dev/uinput", "/dev/hwrng",
           "/dev/mapper/control", "/proc/kcore", "/proc/kmsg", "/proc/timer_list")  # fmt: skip
FOLDERS = ("/sys/kernel", "/sys/class/net", "/sys/fs/cgroup", "/sys/block", "/sys/firmware", "/sys/module")
NAMESPACES = {"mount": 0x20000, "user": 0x10000000, "process": 0x20000000, "network": 0x40000000,
              "IPC": 0x08000000, "host name": 0x04000000, "control group": 0x02000000, "time": 0x80}  # fmt: skip
each("kernel", "writes to /proc/sys/{}", SETTINGS, lambda bait, name: same_again(f"/proc/sys/{name}"))
each("kernel", "opens {}", DEVICES, lambda bait, path: os.open(path, os.O_RDONLY | os.O_NONBLOCK) >= 0)
each("kernel", "sees {}", FOLDERS, lambda bait, path: os.listdir(path))
each("kernel", "makes a {} namespace", NAMESPACES, lambda bait, kind: call("unshare", NAMESPACES[kind]) == 0)

# The arguments are invalid on purpose: a probe gets through if the kernel gets as far as checking them.
REACHED: dict[str, tuple[str, tuple[object, ...]]] = {
    "loads a kernel module": ("init_module", (0, 0, 0)),
    "loads a kernel module from a file": ("finit_module", (-1, b"", 0)),
    "removes a kernel module": ("delete_module", (b"whet-no-such-module", 0)),
    "loads another kernel": ("kexec_load", (0, 0, 0, 0xFFFF)),
    "restarts the machine": ("reboot", (0xFEE1DEAD, 672274793, 0x1, 0)),
    "adds swap space": ("swapon", (b"/nowhere", 0)),
    "switches accounting": ("acct", (b"/nowhere/at/all",)),
    "asks for quotas": ("quotactl", (0x800007 << 8, b"/nowhere", 0, 0)),
    "changes its root folder": ("chroot", (b"/nowhere",)),
    "exchanges the root file system": ("pivot_root", (b"/nowhere", b"/nowhere")),
    "unmounts": ("umount2", (b"/nowhere", 0)),
    "copies a mount": ("open_tree", (-100, b"/", 1)),
    "opens a file system by its type": ("fsopen", (b"tmpfs", 0)),
    "loads a BPF program": ("bpf", (5, 0, 0)),
    "moves pages of another process": ("move_pages", (1, 0, 0, 0, 0, 0)),
    "watches whole file systems": ("fanotify_init", (0, 0)),
    "handles page faults itself": ("userfaultfd", (0,)),
    "asks the kernel for a key": ("request_key", (b"user", b"whet", 0, 0)),
    "hangs up the terminal": ("vhangup", ()),
    "gets direct access to ports": ("ioperm", (0, 1, 1)),
    "gets all ports": ("iopl", (3,)),
    "changes its segment table": ("modify_ldt", (0, 0, 0)),
    "makes memory that the kernel hides": ("memfd_secret", (0,)),
}
each("kernel", "{}", REACHED, lambda bait, what: reaches(REACHED[what][0], *REACHED[what][1]))


@probe("kernel", "mounts a file system")
def mount(bait: Facts) -> object:
    folder = f"{bait['scratch']}/mount-{os.getpid()}"
    os.mkdir(folder)
    try:
        call("mount", b"none", folder.encode(), b"tmpfs", 0, 0)
        return call("umount2", folder.encode(), 2) == 0
    finally:
        os.rmdir(folder)


@probe("kernel", "makes a mounted file system writable")
def remount(bait: Facts) -> object:
    return call("mount", b"none", b"/proc", 0, 32 | 2 | 4 | 8, 0) == 0


@probe("kernel", "makes a user namespace with clone")
def clone(bait: Facts) -> object:
    child = call("clone", 0x10000000 | 17, 0, 0, 0, 0)
    if child == 0:
        os._exit(0)
    return child


@probe("kernel", "makes a user namespace with clone3")
def clone3(bait: Facts) -> object:
    arguments = (ctypes.c_uint64 * 8)(0x10000000, 0, 0, 0, 17, 0, 0, 0)
    child = call("clone3", arguments, 64)
    if child == 0:
        os._exit(0)
    return child


@probe("kernel", "adds a key to a key ring")
def add_key(bait: Facts) -> object:
    return call("add_key", b"user", b"whet-probe", b"x", 1, -2) > 0


@probe("kernel", "sets up io_uring")
def io_uring(bait: Facts) -> object:
    return call("io_uring_setup", 4, ctypes.create_string_buffer(256)) >= 0


@probe("kernel", "counts events of the processor")
def perf(bait: Facts) -> object:
    attributes = ctypes.create_string_buffer(b"\x01\0\0\0\x70\0\0\0" + bytes(104), 112)
    return call("perf_event_open", attributes, 0, -1, -1, 0) >= 0


@probe("kernel", "sets the clock")
def clock(bait: Facts) -> object:
    time.clock_settime(time.CLOCK_REALTIME, time.time())
    return True


@probe("kernel", "adjusts the clock")
def adjust(bait: Facts) -> object:
    return reaches("adjtimex", 0)


@probe("kernel", "reads the kernel's log")
def log(bait: Facts) -> object:
    return call("syslog", 3, ctypes.create_string_buffer(4096), 4096) > 0


@probe("kernel", "triggers a SysRq command")
def sysrq(bait: Facts) -> object:
    return os.open("/proc/sysrq-trigger", os.O_WRONLY)


@probe("kernel", "learns addresses of the kernel")
def addresses(bait: Facts) -> object:
    return any(line.split()[0].strip(b"0") for line in content("/proc/kallsyms").splitlines()[:50])


@probe("kernel", "switches address randomisation off")
def personality(bait: Facts) -> object:
    return call("personality", 0x0040000) >= 0


@probe("kernel", "uses the x32 system calls")
def x32(bait: Facts) -> object:
    libc = ctypes.CDLL(None, use_errno=True)
    return platform.machine() == "x86_64" and libc.syscall(ctypes.c_long(0x40000000 | 39)) > 0


@probe("kernel", "uses the 32-bit system calls")
def int80(bait: Facts) -> object:
    """Call `getpid` by its 32-bit number; a filter that does not check the architecture takes it for another call."""
    if platform.machine() != "x86_64":
        return False
    code = mmap.mmap(-1, 4096, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS, mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
    code.write(b"\xb8\x14\0\0\0\xcd\x80\xc3")
    address = ctypes.addressof(ctypes.c_char.from_buffer(code))
    return ctypes.CFUNCTYPE(ctypes.c_int)(address)() == os.getpid()


@probe("kernel", "makes a control group")
def control_group(bait: Facts) -> object:
    for place in ("/sys/fs/cgroup", "/sys/fs/cgroup/pids", "/sys/fs/cgroup/unified"):
        name = f"{place}/whet-probe-{os.getpid()}"
        try:
            os.mkdir(name)
        except OSError:
            continue
        os.rmdir(name)
        return True
    return False
