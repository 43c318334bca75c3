"""Probes of the host's terminals: opening, writing, typing into them."""

import fcntl
import os
import struct
import termios

from whet.sandbox.probes.probe import Facts, content, probe


def own(bait: Facts) -> int:
    """Open the host's terminal as the controlling terminal, as it is for a person who runs whet."""
    os.setsid()
    return os.open(bait["terminal"], os.O_RDWR)


@probe("terminal", "opens the terminal of the host by its name")
def by_name(bait: Facts) -> object:
    return os.isatty(os.open(bait["terminal"], os.O_RDWR | os.O_NOCTTY))


@probe("terminal", "writes to the terminal of the host")
def write(bait: Facts) -> object:
    return os.write(os.open(bait["terminal"], os.O_WRONLY | os.O_NOCTTY), b"\x1b]0;whet\x07")


@probe("terminal", "opens its controlling terminal")
def controlling(bait: Facts) -> object:
    own(bait)
    return os.open("/dev/tty", os.O_RDWR)


@probe("terminal", "types into the terminal of the host")
def types(bait: Facts) -> object:
    fcntl.ioctl(own(bait), termios.TIOCSTI, b"x")
    return True


@probe("terminal", "types into a terminal with the high half of the request set")
def types_high(bait: Facts) -> object:
    import ctypes

    libc = ctypes.CDLL(None, use_errno=True)
    return libc.ioctl(own(bait), ctypes.c_ulong(0x1_0000_0000 | termios.TIOCSTI), b"x") == 0


@probe("terminal", "pastes with the console")
def pastes(bait: Facts) -> object:
    return fcntl.ioctl(os.open("/dev/tty0", os.O_RDWR | os.O_NOCTTY), 0x541C, b"\x06")


@probe("terminal", "changes the size of the host's terminal")
def resizes(bait: Facts) -> object:
    terminal = os.open(bait["terminal"], os.O_RDWR | os.O_NOCTTY)
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 25, 81, 0, 0))
    return True


@probe("terminal", "changes the mode of the host's terminal")
def changes(bait: Facts) -> object:
    terminal = os.open(bait["terminal"], os.O_RDWR | os.O_NOCTTY)
    termios.tcsetattr(terminal, termios.TCSANOW, termios.tcgetattr(terminal))
    return True


@probe("terminal", "has a terminal for its input or output")
def has(bait: Facts) -> object:
    return any(os.isatty(descriptor) for descriptor in open_descriptors())


@probe("terminal", "belongs to a session of the host")
def session(bait: Facts) -> object:
    return content(f"/proc/{bait['pid']}/stat").rpartition(b")")[2].split()[3] == str(os.getsid(bait["pid"])).encode()


@probe("terminal", "opens the console")
def console(bait: Facts) -> object:
    return os.open("/dev/console", os.O_WRONLY | os.O_NOCTTY)


@probe("terminal", "reads what is on the screen")
def screen(bait: Facts) -> object:
    return os.open("/dev/vcs", os.O_RDONLY)


@probe("terminal", "opens a serial line")
def serial(bait: Facts) -> object:
    return os.open("/dev/ttyS0", os.O_RDONLY | os.O_NOCTTY | os.O_NONBLOCK)


@probe("terminal", "lists the host's terminals")
def lists(bait: Facts) -> object:
    return os.path.basename(bait["terminal"]) in os.listdir("/dev/pts")


def open_descriptors() -> list[int]:
    return [int(name) for name in os.listdir("/proc/self/fd")]
