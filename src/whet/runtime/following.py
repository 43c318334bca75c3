"""Keeps the tools of this process on the version that the registry's manifests name.

One daemon thread per state folder looks at the manifests four times a second. It never waits for a caller, and a caller
never waits for it: a version is loaded, checked and tried aside, and then becomes what the next call runs.
"""

from __future__ import annotations

import os
from _thread import allocate_lock

TYPE_CHECKING = False
if TYPE_CHECKING:
    from threading import Thread

    from whet.runtime.followed import Followed
    from whet.runtime.report import Report

LOOK_EVERY_SECONDS = 0.25

_followings: dict[str, Following] = {}
_starting = allocate_lock()


def follow(state: str, module: str) -> None:
    """From now on the tools of that module follow the registry in that folder. Called with a tool's first kept call, so all
    that takes time, imports included, is left to the thread."""
    following = _followings.get(state) or _followings.setdefault(state, Following(state))
    following.names.add(module)
    if following.thread is None and _starting.acquire(blocking=False):
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
        self.thread: Thread | None = None
        self.report: Report | None = None

    def start(self) -> None:
        """If no thread can be had, now or because the interpreter is ending, the versions stay what they are."""
        try:
            from threading import Event, Thread

            self.report, self._ended = None, Event()
            self.thread = Thread(target=self._run, name="whet-registry", daemon=True)
            self.thread.start()
        except (RuntimeError, ImportError):
            return

    def look(self) -> None:
        from whet.runtime.followed import Followed
        from whet.runtime.report import Report

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
        self._ended.set()
        if self.report is not None:
            self.report.remove()

    def _run(self) -> None:
        _at_the_ends(self)
        while not self._ended.wait(LOOK_EVERY_SECONDS):
            self.look()


def _at_the_ends(following: Following) -> None:
    """Of the process: its exit, a fork, and that of the children of multiprocessing, which leave by os._exit."""
    import atexit
    import sys

    if not _at_fork:
        _at_fork.append(True)
        os.register_at_fork(after_in_child=_start_anew)
    try:
        atexit.register(following.leave)
    except RuntimeError:  # the interpreter is ending
        return
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
