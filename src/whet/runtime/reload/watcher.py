"""`RegistryWatcher`: keeps the tools of this process on the versions that the registry's manifests name.

One daemon thread per state folder reads the manifests four times a second. Neither it nor a caller ever waits for the
other: a version is loaded and checked on the side, and then becomes the implementation of the next call.
"""

from __future__ import annotations

import atexit
import os
import sys
from _thread import allocate_lock, start_new_thread

TYPE_CHECKING = False
if TYPE_CHECKING:
    from _thread import LockType

    from whet.runtime.reload.module import ReloadedModule
    from whet.runtime.reload.report import ProcessReport

LOOK_EVERY_SECONDS = 0.25

_watchers: dict[str, RegistryWatcher] = {}
_starting = allocate_lock()


def start_watching(state: str, module: str) -> None:
    """Reload the tools of a module whenever the registry in the state folder says so.

    Called with a tool's first captured call, so everything that takes time, imports included, is left to the thread.
    """
    watcher = _watchers.get(state) or _watchers.setdefault(state, RegistryWatcher(state))
    watcher.names.add(module)
    if not watcher.started and _starting.acquire(blocking=False):
        try:
            watcher.start()
        finally:
            _starting.release()


def stop_watching() -> None:
    """Stop reloading. Tools keep their present version until their next captured call starts a watcher again."""
    for state in list(_watchers):
        _watchers.pop(state).stop()


class RegistryWatcher:
    """The watcher of one state folder, with the modules of this process that have tools."""

    def __init__(self, state: str) -> None:
        self.state = state
        self.names: set[str] = set()
        self.modules: dict[str, ReloadedModule] = {}
        self.started = False
        self.report: ProcessReport | None = None

    def start(self) -> None:
        """Start the thread without waiting for it.

        If no thread can be started, or the interpreter is shutting down, the tools keep their versions.
        """
        self.started, self.report = True, None
        self._running = allocate_lock()
        self._running.acquire()
        try:
            start_new_thread(self._run, (self._running,))
            _stop_at_exit(self)
        except RuntimeError:
            return

    def look(self) -> None:
        """Bring every module to the version that its manifest names, and update the process report."""
        from whet.runtime.reload.module import ReloadedModule
        from whet.runtime.reload.report import ProcessReport

        report = self.report = self.report or ProcessReport(self.state)
        for name in list(self.names):
            self.modules.setdefault(name, ReloadedModule(name, self.state, report, self.write_report)).look()
        self.write_report()

    def write_report(self) -> None:
        """Write the states of all modules that have a manifest to the process report."""
        states = {name: module.state() for name, module in list(self.modules.items()) if module.has_state}
        if states and self.report is not None:
            self.report.write(states)

    def stop(self) -> None:
        """End the thread and remove the report; calling this twice does no harm."""
        if self._running.locked():
            self._running.release()
        if self.report is not None:
            self.report.remove()

    def _run(self, running: LockType) -> None:
        while not running.acquire(timeout=LOOK_EVERY_SECONDS):
            self.look()


def _stop_at_exit(watcher: RegistryWatcher) -> None:
    """Stop the watcher when the process exits, and restart the watchers in a forked child."""
    if not _at_fork:
        _at_fork.append(True)
        os.register_at_fork(after_in_child=_restart_in_child)
    atexit.register(watcher.stop)
    util = sys.modules.get("multiprocessing.util")
    if util is not None:  # children of multiprocessing end by os._exit, which skips atexit
        util.Finalize(None, watcher.stop, exitpriority=0)


_at_fork: list[bool] = []


def _restart_in_child() -> None:
    """Start the watchers again in a forked child, where only the forking thread is left."""
    global _starting
    from whet.runtime.registry import COLLECTING

    COLLECTING.clear()
    _starting = allocate_lock()
    for watcher in _watchers.values():
        watcher.start()
