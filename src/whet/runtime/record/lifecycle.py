"""The recorder at the ends of a process: its exit, and a fork.

A fork waits a moment for the drainer to be between two transactions. The child forgets what waits in the buffer and the
counters, which is the parent's to write, leaves the parent's connection alone and starts a drainer of its own with its
first kept call. If the drainer could not be stopped in that moment, the child records nothing: a lock inside SQLite may
be held for ever there.
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


def at_exit(recorder: Recorder) -> None:
    """Called whenever a drainer starts, in each process of its own."""
    if recorder not in _recorders:
        if not _recorders and hasattr(os, "register_at_fork"):
            os.register_at_fork(before=_pause, after_in_parent=_go_on, after_in_child=_start_anew)
        _recorders.append(recorder)
        atexit.register(recorder.finish)
    util = sys.modules.get("multiprocessing.util")
    if util is not None:  # its children leave by os._exit, past atexit
        util.Finalize(None, recorder.finish, exitpriority=0)


def _pause() -> None:
    _paused[:] = [(recorder, recorder.pause(FORK_SECONDS)) for recorder in _recorders]


def _go_on() -> None:
    for recorder, paused in _paused:
        if paused:
            recorder.lock.release()


def _start_anew() -> None:
    for recorder, paused in _paused:
        recorder.start_anew(usable=paused)
