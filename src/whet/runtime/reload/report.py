"""What this process tells whet: which version of each module it runs, and what it refused."""

from __future__ import annotations

import contextlib
import json
import os
import platform
import time

from whet.domain.version import FOLDER, REPORTS, STALE_SECONDS, report_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

YOUNG_SECONDS = 5.0
"""A version that is in use for so long without the process dying is not what kills it."""


class Report:
    """One file for this process, replaced whenever something changed and removed at its exit. The application goes on
    whether or not it can be written."""

    def __init__(self, state: str) -> None:
        self._folder = os.path.join(state, FOLDER, REPORTS)
        self._pid = os.getpid()
        self._process = process()
        self._path = os.path.join(self._folder, report_name(self._pid, self._process))
        self._written = ""
        self._refreshed = 0.0

    def write(self, modules: dict[str, Any]) -> None:
        text = json.dumps({"process": self._process, "modules": modules}, sort_keys=True)
        if text == self._written:
            self._still_here(modules)
            return
        temporary = f"{self._path}.new"
        try:
            os.makedirs(self._folder, exist_ok=True)
            with open(temporary, "w", encoding="utf-8") as stream:
                stream.write(text)
            os.replace(temporary, self._path)
        except OSError:
            return  # a full disk; the next change, or the next look, tries again
        self._written = text

    def _still_here(self, modules: dict[str, Any]) -> None:
        """Says so by the time of the file: often while a version is young, so that whoever finds it later knows how long it
        lasted, and now and then for those who cannot see this process from where they are."""
        now = time.time()
        young = any(now - module["since"] < 2 * YOUNG_SECONDS for module in modules.values())
        if young or now - self._refreshed > STALE_SECONDS / 4:
            with contextlib.suppress(OSError):
                os.utime(self._path)
            self._refreshed = now

    def deaths(self, module: str, version: str) -> int:
        """How many processes of this machine ended, without leaving, while they loaded a version or soon after."""
        here = self._process.split(" ")[:3]
        return sum(_died_of(os.path.join(self._folder, name), here, module, version) for name in _names(self._folder))

    def remove(self) -> None:
        if os.getpid() != self._pid or not self._written:
            return
        try:
            os.unlink(self._path)
        except OSError:
            return  # gone already, or whet will see that the process is


def _names(folder: str) -> list[str]:
    try:
        return [name for name in os.listdir(folder) if name.endswith(".json")]
    except OSError:
        return []


def _died_of(path: str, here: list[str], module: str, version: str) -> bool:
    try:
        with open(path, "rb") as stream:
            fields = json.loads(stream.read())
        *place, pid, started = fields["process"].split(" ")
        told = fields["modules"][module]
        if place != here or _started(pid) == started:
            return False
        if told["loading"] == version:
            return True
        lasted = os.stat(path).st_mtime - told["since"]
        return lasted < YOUNG_SECONDS and version in (told["candidate"], *told["versions"])
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return False  # another's file: removed meanwhile, or nothing that we wrote


def _started(pid: str) -> str:
    """When a process began, in ticks since the boot; empty where there is none."""
    try:
        with open(f"/proc/{pid}/stat", encoding="utf-8", errors="replace") as stream:
            state, *fields = stream.read().rpartition(")")[2].split()
    except OSError:
        return ""
    return "" if state in ("Z", "X") else fields[18]


def process() -> str:
    """Machine, boot, namespace, number and start of this process, as `whet.store.process_identity` reads them; they tell it apart
    from every other that had or will have its number."""
    machine = "".join(platform.node().split()) or "?"
    try:
        with open("/proc/sys/kernel/random/boot_id", encoding="ascii") as stream:
            boot = stream.read().strip()
        namespace = os.readlink("/proc/self/ns/pid")
    except OSError:
        boot, namespace = "?", "?"
    return f"{machine} {boot} {namespace} {os.getpid()} {_started('self') or '?'}"
