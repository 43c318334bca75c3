"""`ProcessReport`: the file that tells whet which versions this process runs and which it refused."""

from __future__ import annotations

import contextlib
import json
import os
import platform
import time

from whet import state_folder
from whet.domain.version import FOLDER, REPORTS, STALE_SECONDS, report_name
from whet.errors import StateUnusable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

YOUNG_SECONDS = 5.0
"""A process that dies later than this after loading a version is not counted as killed by it."""


class ProcessReport:
    """The report file of this process, replaced at every change and removed at exit.

    If it cannot be written, the application goes on without.
    """

    def __init__(self, state: str) -> None:
        self._state = state
        self._pid = os.getpid()
        self._process = process()
        self._name = f"{FOLDER}/{REPORTS}/{report_name(self._pid, self._process)}"
        self._written = ""
        self._refreshed = 0.0

    def write(self, modules: dict[str, Any]) -> None:
        """Write the file if something changed, else refresh its time from time to time."""
        text = json.dumps({"process": self._process, "modules": modules}, sort_keys=True)
        if text == self._written:
            self._refresh(modules)
            return
        try:
            state_folder.make_folder(self._state)
            state_folder.replace(self._state, self._name, text.encode(), flush=False)
        except (OSError, StateUnusable):
            return  # for example a full disk; the next call tries again
        self._written = text

    def _refresh(self, modules: dict[str, Any]) -> None:
        """Touch the file, as a sign of life.

        Often while a version is young, so that `deaths` can tell how long it lasted; else now and then, for a whet in
        another container, which cannot see this process.
        """
        now = time.time()
        young = any(now - module["since"] < 2 * YOUNG_SECONDS for module in modules.values())
        if young or now - self._refreshed > STALE_SECONDS / 4:
            with contextlib.suppress(OSError, StateUnusable):
                self._touch()
            self._refreshed = now

    def _touch(self) -> None:
        handle = state_folder.open_file(self._state, self._name, os.O_WRONLY)
        try:
            os.utime(handle)
        finally:
            os.close(handle)

    def deaths(self, module: str, version: str) -> int:
        """Return how many processes of this machine died, without a normal exit, while or soon after loading a version."""
        here = self._process.split(" ")[:3]
        return sum(_died_of(self._state, name, here, module, version) for name in _names(self._state))

    def remove(self) -> None:
        if os.getpid() != self._pid or not self._written:
            return
        try:
            state_folder.remove(self._state, self._name)
        except (OSError, StateUnusable):
            return  # removed already; or else whet will see that the process is gone


def _names(state: str) -> list[str]:
    folder = f"{FOLDER}/{REPORTS}"
    try:
        return [f"{folder}/{name}" for name in state_folder.names(state, folder) if name.endswith(".json")]
    except (OSError, StateUnusable):
        return []


def _died_of(state: str, name: str, here: list[str], module: str, version: str) -> bool:
    """True if the process that wrote this report died while loading the version or within `YOUNG_SECONDS` of it."""
    try:
        fields = json.loads(state_folder.read(state, name))
        *machine, pid, started = fields["process"].split(" ")
        report = fields["modules"][module]
        if machine != here or _started(pid) == started:
            return False
        if report["loading"] == version:
            return True
        lasted = state_folder.status(state, name).st_mtime - report["since"]
        return lasted < YOUNG_SECONDS and version in (report["candidate"], *report["versions"])
    except (OSError, StateUnusable, ValueError, KeyError, TypeError, AttributeError):
        return False  # removed meanwhile, or not a report that whet wrote


def _started(pid: str) -> str:
    """Return when a process started, in clock ticks since boot; '' if it does not exist."""
    try:
        with open(f"/proc/{pid}/stat", encoding="utf-8", errors="replace") as stream:
            state, *fields = stream.read().rpartition(")")[2].split()
    except OSError:
        return ""
    return "" if state in ("Z", "X") else fields[18]


def process() -> str:
    """Return machine, boot id, pid namespace, pid and start time of this process, separated by spaces.

    Together they identify the process among all that ever have the same pid. `whet.store.process_identity` reads them.
    """
    machine = "".join(platform.node().split()) or "?"
    try:
        with open("/proc/sys/kernel/random/boot_id", encoding="ascii") as stream:
            boot = stream.read().strip()
        namespace = os.readlink("/proc/self/ns/pid")
    except OSError:
        boot, namespace = "?", "?"
    return f"{machine} {boot} {namespace} {os.getpid()} {_started('self') or '?'}"
