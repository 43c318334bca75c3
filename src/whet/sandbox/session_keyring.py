"""The kernel's session key ring. Child processes share it, so whet leaves its own before it starts a sandbox."""

import ctypes
import platform

_KEYCTL = {"x86_64": 250, "aarch64": 219}
_JOIN_SESSION_KEYRING = 1
_libc = ctypes.CDLL(None, use_errno=True)


def leave() -> bool:
    """Give this thread and its future children a new, empty key ring; return False if the kernel refuses.

    Other threads of whet keep theirs.
    """
    number = _KEYCTL.get(platform.machine())
    return number is not None and _libc.syscall(ctypes.c_long(number), ctypes.c_long(_JOIN_SESSION_KEYRING), None) > 0
