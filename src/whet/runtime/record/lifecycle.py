"""Handle the exit and the fork of a process that records.

Before a fork, the process waits up to `FORK_SECONDS` for the drainer to be between two transactions. The child drops the
buffer and the counters, which the parent will write, leaves the parent's connection alone and starts a drainer of its own
with its first recorded call. If the drainer could not be paused in time, the child records nothing: a lock inside SQLite
may stay held in it for ever.
"""

from __future__ import annotations

import atexit
import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from whet.runtime.record.recorder import Recorder

FORK_SECONDS = 0.2

_recorders: list[Recorder] = []
_paused: list[tuple[Recorder, bool]] = []


def finish_at_exit(recorder: Recorder) -> None:
    """Make the recorder finish at exit and survive forks. Called whenever a drainer starts, in every process."""
    if recorder not in _recorders:
        if not _recorders and hasattr(os, "register_at_fork"):
            os.register_at_fork(before=_pause, after_in_parent=_resume, after_in_child=_reset_in_child)
        _recorders.append(recorder)
        atexit.register(recorder.finish)
    util = sys.modules.get("multiprocessing.util")
    if util is not None:  # children of multiprocessing end by os._exit, which skips atexit
        util.Finalize(None, recorder.finish, exitpriority=0)


def _pause() -> None:
    _paused[:] = [(recorder, recorder.pause(FORK_SECONDS)) for recorder in _recorders]


def _resume() -> None:
    for recorder, paused in _paused:
        if paused:
            recorder.lock.release()


def _reset_in_child() -> None:
    for recorder, paused in _paused:
        recorder.reset_in_child(usable=paused)
