"""Handle the exit and the fork of a process that captures calls.

Before a fork, the process waits up to `FORK_SECONDS` for the drainer to be between two transactions. The child drops the
buffer and the counters, which the parent will write, leaves the parent's connection alone and starts a drainer of its own
with its first captured call. If the drainer could not be paused in time, the child captures nothing: a lock inside SQLite
may stay held in it for ever.
"""

from __future__ import annotations

import atexit
import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from whet.runtime.capture.capturer import Capturer

FORK_SECONDS = 0.2

_capturers: list[Capturer] = []
_paused: list[tuple[Capturer, bool]] = []


def finish_at_exit(capturer: Capturer) -> None:
    """Make the capturer finish at exit and survive forks. Called whenever a drainer starts, in every process."""
    if capturer not in _capturers:
        if not _capturers and hasattr(os, "register_at_fork"):
            os.register_at_fork(before=_pause, after_in_parent=_resume, after_in_child=_reset_in_child)
        _capturers.append(capturer)
        atexit.register(capturer.finish)
    util = sys.modules.get("multiprocessing.util")
    if util is not None:  # children of multiprocessing end by os._exit, which skips atexit
        util.Finalize(None, capturer.finish, exitpriority=0)


def _pause() -> None:
    _paused[:] = [(capturer, capturer.pause(FORK_SECONDS)) for capturer in _capturers]


def _resume() -> None:
    for capturer, paused in _paused:
        if paused:
            capturer.lock.release()


def _reset_in_child() -> None:
    for capturer, paused in _paused:
        capturer.reset_in_child(usable=paused)
