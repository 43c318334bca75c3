"""Keeps the tools of this process on the version that the registry's manifests name.

One daemon thread per state folder looks at the manifests four times a second. It never waits for a caller, and a caller
never waits for it: a version is loaded, checked and tried aside, and then becomes what the next call runs.
"""

from __future__ import annotations

import atexit
import os
import sys
from _thread import allocate_lock, start_new_thread

TYPE_CHECKING = False
if TYPE_CHECKING:
    from _thread import LockType

    from whet.runtime.reload.module import Followed
    from whet.runtime.reload.report import Report

LOOK_EVERY_SECONDS = 0.25

_followings: dict[str, Following] = {}
_starting = allocate_lock()


def follow(state: str, module: str) -> None:
    """From now on the tools of that module follow the registry in that folder. Called with a tool's first kept call, so all
    that takes time, imports included, is left to the thread."""
    following = _followings.get(state) or _followings.setdefault(state, Following(state))
    following.names.add(module)
    if not following.started and _starting.acquire(blocking=False):
        try:
            following.start()
        finally:
            _starting.release()


def unfollow() -> None:
    """Tools stay on the version that they are on, until they are called again and follow another registry, or this."""
    for state in list(_followings):
        _followings.pop(state).leave()


class Following:
    def __init__(self, state: str) -> None:
        self.state = state
        self.names: set[str] = set()
        self.modules: dict[str, Followed] = {}
        self.started = False
        self.report: Report | None = None

    def start(self) -> None:
        """Does not wait for the thread to run. If none can be had, now or because the interpreter is ending, the versions
        stay what they are."""
        self.started, self.report = True, None
        self._ended = allocate_lock()
        self._ended.acquire()
        try:
            start_new_thread(self._run, (self._ended,))
            _at_the_ends(self)
        except RuntimeError:
            return

    def look(self) -> None:
        from whet.runtime.reload.module import Followed
        from whet.runtime.reload.report import Report

        report = self.report = self.report or Report(self.state)
        for name in list(self.names):
            self.modules.setdefault(name, Followed(name, self.state, report, self.tell)).look()
        self.tell()

    def tell(self) -> None:
        told = {
            name: followed.told() for name, followed in list(self.modules.items()) if followed.has_something_to_tell
        }
        if told and self.report is not None:
            self.report.write(told)

    def leave(self) -> None:
        """At the exit, or for another registry; twice does no harm."""
        if self._ended.locked():
            self._ended.release()
        if self.report is not None:
            self.report.remove()

    def _run(self, ended: LockType) -> None:
        while not ended.acquire(timeout=LOOK_EVERY_SECONDS):
            self.look()


def _at_the_ends(following: Following) -> None:
    """Of the process: its exit, a fork, and that of the children of multiprocessing, which leave by os._exit."""
    if not _at_fork:
        _at_fork.append(True)
        os.register_at_fork(after_in_child=_start_anew)
    atexit.register(following.leave)
    util = sys.modules.get("multiprocessing.util")
    if util is not None:
        util.Finalize(None, following.leave, exitpriority=0)


_at_fork: list[bool] = []


def _start_anew() -> None:
    """In a forked child, where only the forking thread lives on."""
    global _starting
    from whet.runtime.registry import COLLECTING

    COLLECTING.clear()
    _starting = allocate_lock()
    for following in _followings.values():
        following.start()
