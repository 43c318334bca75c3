"""The seccomp filter: the system calls that untrusted code may not make, as a BPF program for `bwrap --seccomp`.

Assembled by hand: there are few rules, and a library would be one more dependency to trust. A refused call returns an
error number, so that programs can handle it; a call through another system-call table (x32, 32-bit) kills the process.
Machines other than x86_64 and aarch64 get no filter, and the recorded containment says so.
"""

import errno
import platform
import struct
from collections.abc import Sequence
from functools import cache

# Return values of a filter; the error number is added to _ERRNO.
_ALLOW, _KILL, _ERRNO = 0x7FFF0000, 0x80000000, 0x00050000
# BPF instruction codes.
_LOAD, _JUMP, _EQUAL, _GREATER_EQUAL, _ANY_BIT, _RETURN = 0x20, 0x05, 0x15, 0x35, 0x45, 0x06
_NUMBER, _ARCHITECTURE = 0, 4  # offsets in struct seccomp_data
_X32 = 0x40000000  # this bit of the number marks the x32 table
_FEW = 3  # up to this many numbers are compared one by one, more by binary search
_NEW_NAMESPACES = 0x7E020080  # user, pid, net, ipc, uts, cgroup, mount, time
_FAMILIES = (1, 2, 10)  # AF_UNIX, AF_INET, AF_INET6
_PERSONALITIES = (0, 0xFFFFFFFF)  # the default personality, and the query of the current one
_PROTOCOLS = (0, 1, 6, 17, 58)  # the family's default, ICMP (1 is also valid for AF_UNIX), TCP, UDP, ICMPv6
# TIOCSTI types into the terminal, TIOCLINUX reaches the console, TIOCSETD loads a line discipline.
_TERMINAL_TRICKS = (0x5412, 0x541C, 0x5423)
_LEASES = (1024, 1026)  # F_SETLEASE can delay the host's access to a file, F_NOTIFY reports the host's use of a folder

# Refused with EPERM. name: (x86_64, aarch64), None where the table has no such call.
_REFUSED: dict[str, tuple[int | None, int | None]] = {
    "ptrace": (101, 117), "process_vm_readv": (310, 270), "process_vm_writev": (311, 271), "kcmp": (312, 272),
    "pidfd_getfd": (438, 438), "perf_event_open": (298, 241), "bpf": (321, 280), "userfaultfd": (323, 282),
    "keyctl": (250, 219), "add_key": (248, 217), "request_key": (249, 218),
    "io_uring_setup": (425, 425), "io_uring_enter": (426, 426), "io_uring_register": (427, 427),
    "unshare": (272, 97), "setns": (308, 268), "mount": (165, 40), "umount2": (166, 39), "pivot_root": (155, 41),
    "chroot": (161, 51), "fsopen": (430, 430), "fsconfig": (431, 431), "fsmount": (432, 432), "fspick": (433, 433),
    "move_mount": (429, 429), "open_tree": (428, 428), "mount_setattr": (442, 442),
    "name_to_handle_at": (303, 264), "open_by_handle_at": (304, 265), "quotactl": (179, 60), "acct": (163, 89),
    "swapon": (167, 224), "swapoff": (168, 225), "reboot": (169, 142), "kexec_load": (246, 104),
    "kexec_file_load": (320, 294), "init_module": (175, 105), "finit_module": (313, 273), "delete_module": (176, 106),
    "iopl": (172, None), "ioperm": (173, None), "modify_ldt": (154, None), "settimeofday": (164, 170),
    "clock_settime": (227, 112), "adjtimex": (159, 171), "clock_adjtime": (305, 266), "syslog": (103, 116),
    "vhangup": (153, 58), "lookup_dcookie": (212, 18), "move_pages": (279, 239), "migrate_pages": (256, 238),
    "fanotify_init": (300, 262), "memfd_secret": (447, 447), "quotactl_fd": (443, 443), "open_tree_attr": (467, 467),
    "sethostname": (170, 161), "setdomainname": (171, 162), "uselib": (134, None), "ustat": (136, None),
    "sysfs": (139, None), "nfsservctl": (180, 42), "process_madvise": (440, 440), "process_mrelease": (448, 448),
}  # fmt: skip
# Answered with ENOSYS. The flags of clone3 are in memory, where a filter cannot read them; libc then falls back to
# clone. io_setup takes from a quota (fs.aio-max-nr) that the whole machine shares.
_ABSENT = {"clone3": (435, 435), "io_setup": (206, 0)}
# Reported as successful without doing anything: they would write the host's data to disk, and the files that code
# inside can write are in memory.
_DONE = {"sync": (162, 81), "syncfs": (306, 267)}
# Calls that take memory without mapping it into a process. Only a control group counts that, so without one: ENOSYS.
_UNCOUNTED = {"memfd_create": (319, 279), "shmget": (29, 194), "semget": (64, 190), "msgget": (68, 186),
              "vmsplice": (278, 75)}  # fmt: skip
_MACHINES = {"x86_64": (0xC000003E, 0), "aarch64": (0xC00000B7, 1)}
# Allowed or refused by their arguments.
_SPECIAL = {"socket": (41, 198), "socketpair": (53, 199), "clone": (56, 220), "ioctl": (16, 29), "fcntl": (72, 25),
            "personality": (135, 92)}  # fmt: skip


@cache
def program(machine: str = "", *, memory_is_counted: bool = True) -> bytes | None:
    """Return the filter for this machine, or None if its system-call numbers are not in the tables."""
    known_machine = _MACHINES.get(machine or platform.machine())
    if known_machine is None:
        return None
    architecture, column = known_machine
    special = {name: numbers[column] for name, numbers in _SPECIAL.items()}
    answers = {number: errno.EPERM for numbers in _REFUSED.values() if (number := numbers[column]) is not None}
    absent = _ABSENT if memory_is_counted else {**_ABSENT, **_UNCOUNTED}
    answers |= {numbers[column]: errno.ENOSYS for numbers in absent.values()}
    answers |= {numbers[column]: 0 for numbers in _DONE.values()}
    rules = [
        _load(_ARCHITECTURE), *_unless_equal(architecture, _KILL),
        _load(_NUMBER), *_when(_GREATER_EQUAL, _X32, _KILL),
        *_by_number(sorted(answers.items())),
        *_block(special["clone"], [_argument(0), *_when(_ANY_BIT, _NEW_NAMESPACES, _ERRNO | errno.EPERM)]),
        *(rule for name in ("socket", "socketpair") for rule in
          _block(special[name], [_argument(0), *_unless_any(_FAMILIES, _ERRNO | errno.EAFNOSUPPORT),
                                 _argument(2), *_unless_any(_PROTOCOLS, _ERRNO | errno.EPROTONOSUPPORT)])),
        *_block(special["personality"], [_argument(0), *_unless_any(_PERSONALITIES, _ERRNO | errno.EPERM)]),
        *_block(special["ioctl"], [_argument(1), *_when_any(_TERMINAL_TRICKS, _ERRNO | errno.EPERM)]),
        *_block(special["fcntl"], [_argument(1), *_when_any(_LEASES, _ERRNO | errno.EPERM)]),
        _return(_ALLOW),
    ]  # fmt: skip
    return b"".join(rules)


def _instruction(code: int, yes: int, no: int, value: int) -> bytes:
    return struct.pack("=HBBI", code, yes, no, value)


def _load(offset: int) -> bytes:
    return _instruction(_LOAD, 0, 0, offset)


def _argument(index: int) -> bytes:
    """Load the low 32 bits of an argument; the kernel ignores the high bits of the arguments checked here."""
    return _load(16 + 8 * index)


def _return(answer: int) -> bytes:
    return _instruction(_RETURN, 0, 0, answer)


def _when(comparison: int, value: int, answer: int) -> list[bytes]:
    return [_instruction(comparison, 0, 1, value), _return(answer)]


def _when_any(values: Sequence[int], answer: int) -> list[bytes]:
    return [rule for value in values for rule in _when(_EQUAL, value, answer)]


def _unless_equal(value: int, answer: int) -> list[bytes]:
    return [_instruction(_EQUAL, 1, 0, value), _return(answer)]


def _unless_any(values: Sequence[int], answer: int) -> list[bytes]:
    jumps = [_instruction(_EQUAL, len(values) - index, 0, value) for index, value in enumerate(values)]
    return [*jumps, _return(answer)]


def _by_number(answers: Sequence[tuple[int, int]]) -> list[bytes]:
    """Return a binary search over the numbers: the kernel runs a new filter for every call number at each start."""
    if len(answers) <= _FEW:
        return [rule for number, error in answers for rule in _when(_EQUAL, number, _ERRNO | error)]
    middle = len(answers) // 2
    lower, upper = _by_number(answers[:middle]), _by_number(answers[middle:])
    lower.append(_instruction(_JUMP, 0, 0, len(upper)))
    return [_instruction(_GREATER_EQUAL, len(lower), 0, answers[middle][0]), *lower, *upper]


def _block(number: int, rules: list[bytes]) -> list[bytes]:
    """Return rules on the arguments of one call; the call's number is loaded again for the rules that follow."""
    inside = [*rules, _load(_NUMBER)]
    return [_instruction(_EQUAL, 0, len(inside), number), *inside]
