"""The end of sandboxes that were about to start when their whet was killed.

Bubblewrap's inner process, the first of its namespace, waits for the outer one before it asks the kernel to die with it. If
whet and then the outer process are killed in that instant, the inner one sleeps forever. It has run no code of the job.
"""

import contextlib
import os
import signal
from collections.abc import Iterator
from functools import cache
from pathlib import Path

_PROC = Path("/proc")


@cache
def end_leftovers(bubblewrap: str) -> tuple[int, ...]:
    """Kill the inner processes of bubblewrap whose outer process is gone, once per process of whet; return their ids."""
    killed = []
    for pid in _leftovers(os.fsencode(bubblewrap)):
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.kill(pid, signal.SIGKILL)
            killed.append(pid)
    return tuple(killed)


def _leftovers(bubblewrap: bytes) -> Iterator[int]:
    for folder in _PROC.iterdir():
        if folder.name.isdigit() and _is_ours(folder, bubblewrap):
            status = _status(folder)
            parent = _PROC / status.get("PPid", "0")
            is_first_inside = len(status.get("NSpid", "").split()) > 1 and status["NSpid"].split()[-1] == "1"
            if is_first_inside and not _is_ours(parent, bubblewrap):
                yield int(folder.name)


def _is_ours(folder: Path, bubblewrap: bytes) -> bool:
    """True if a process is a bubblewrap that takes its options as whet gives them, and has not started a command yet."""
    try:
        words = (folder / "cmdline").read_bytes().split(b"\0")
    except OSError:
        return False
    return words[:2] == [bubblewrap, b"--args"] and words[3:4] == [b"--"]


def _status(folder: Path) -> dict[str, str]:
    try:
        lines = (folder / "status").read_text(errors="replace").splitlines()
    except OSError:
        return {}
    return {name: value.strip() for name, _, value in (line.partition(":") for line in lines)}
