"""The kernel's key ring of a session, which whatever a process starts would share with it."""

import ctypes
import platform

_KEYCTL = {"x86_64": 250, "aarch64": 219}
_JOIN_SESSION_KEYRING = 1
_libc = ctypes.CDLL(None, use_errno=True)


def leave() -> bool:
    """Give this thread, and what it starts, a new and empty one; other threads keep theirs. False where it cannot be."""
    number = _KEYCTL.get(platform.machine())
    return number is not None and _libc.syscall(ctypes.c_long(number), ctypes.c_long(_JOIN_SESSION_KEYRING), None) > 0
