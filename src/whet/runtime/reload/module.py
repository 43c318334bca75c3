"""`ReloadedModule`: brings one module of this process to the version that its manifest names.

Only the watcher's thread uses it.
"""

from __future__ import annotations

import os
from time import time

from whet import state_folder
from whet.domain.version import CURRENT, FOLDER, MODULES, SOURCES, Mode, read_manifest
from whet.errors import Corrupt, StateUnusable
from whet.runtime.registry import DECLARED
from whet.runtime.reload.loading import load_in_time
from whet.runtime.reload.routing import Routing, control_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from whet.domain.version import Manifest, Rollout
    from whet.runtime.implementation import Implementation
    from whet.runtime.reload.loading import LoadedVersion
    from whet.runtime.reload.report import ProcessReport
    from whet.runtime.tool import Tool

    Route = Callable[[tuple[Any, ...], dict[str, Any]], Implementation]

DEADLY = 3
"""A version that this many processes died of is not loaded again."""


class ReloadedModule:
    """One module: its manifest as last read, the versions in use and on trial, and the refused ones with the reasons."""

    def __init__(self, name: str, state: str, report: ProcessReport, write_report: Callable[[], None]) -> None:
        self._name = name
        self._state = state
        self._report = report
        self._write_report = write_report
        self._manifest: Manifest | None = None
        self._manifest_stamp: object = None
        self._unreadable = ""
        self._version: LoadedVersion | None = None
        self._candidate: LoadedVersion | None = None
        self._trial: Rollout | None = None
        self._last_loaded: LoadedVersion | None = None
        """Reused when a trial continues with another share or is promoted, so that its module keeps its globals."""
        self._refused: dict[tuple[str, object], str] = {}
        self._tripped: dict[tuple[str, str], str] = {}
        self._problem = ""
        self._declared: dict[int, Implementation] = {}
        self._loading = ""
        self._since = 0.0

    def look(self) -> None:
        """Read the manifest and, if it knows the source that this process runs, follow it."""
        self._read(f"{FOLDER}/{MODULES}/{self._name}.json")
        tools = self._tools()
        if self._manifest is None or not tools:
            return
        if not self._manifest.knows(tools[0].source.version):
            self._problem = "it was loaded from a source that is none of the versions in the registry"
            return
        self._problem = ""
        self._set_current(self._manifest, tools)
        self._set_trial(self._manifest, tools)

    @property
    def has_state(self) -> bool:
        """True if the module has a manifest, even if it could not be read."""
        return self._manifest is not None or bool(self._unreadable)

    def state(self) -> dict[str, Any]:
        """Return the module's entry of the process report."""
        tools = self._tools()
        return {
            "versions": sorted({version_of(tool) for tool in tools}),
            "candidate": self._candidate.short if self._candidate and self._trial else "",
            "refused": {digest[:16]: why for (digest, _), why in [*self._refused.items(), *self._tripped.items()]},
            "problem": self._unreadable or self._problem,
            "loading": self._loading,
            "since": self._since,
        }

    def _read(self, name: str) -> None:
        stamp = _stamp(os.path.join(self._state, name))
        if stamp is None or stamp == self._manifest_stamp:
            return
        try:
            self._manifest = read_manifest(state_folder.read(self._state, name))
            self._unreadable = ""
        except FileNotFoundError:
            return
        except (OSError, StateUnusable, Corrupt) as problem:
            self._unreadable = str(problem)
        self._manifest_stamp = stamp

    def _tools(self) -> list[Tool]:
        """Return the module's tools. Tools declared inside functions cannot be replaced and are left out."""
        return [
            tool for tool in DECLARED if tool.source.module == self._name and "<locals>" not in tool.source.qualname
        ]

    def _set_current(self, manifest: Manifest, tools: list[Tool]) -> None:
        """Put the manifest's current version to use, unless it is in use already or is refused."""
        digest = manifest.current.digest
        if all(version_of(tool) == digest[:16] for tool in tools):
            return
        version = None
        if not digest.startswith(tools[0].source.version):
            version = self._loaded(digest, tools)
            if version is None:
                return
        self._end_trial(tools)
        self._version = version
        if version is None:  # back to the source that the process started with
            for tool in tools:
                tool.implementation = self._declared.get(id(tool), tool.implementation)
            return
        for tool in tools:
            self._declared.setdefault(id(tool), tool.implementation)
        swap(version, tools)

    def _set_trial(self, manifest: Manifest, tools: list[Tool]) -> None:
        """Start, change or end the trial as the manifest says."""
        rollout = manifest.candidate
        if rollout is not None and 0 < rollout.split.until <= time():
            rollout = None
        if rollout == self._trial and all(tool.route is not None or rollout is None for tool in tools):
            return
        self._end_trial(tools)
        if rollout is None or (rollout.digest, rollout.split.salt) in self._tripped:
            return
        routes = self._shadow_routes(tools) if rollout.split.mode is Mode.SHADOW else self._routes(rollout, tools)
        if routes is None:
            return
        self._trial = rollout
        for tool, route in zip(tools, routes, strict=True):
            tool.route = route

    def _shadow_routes(self, tools: list[Tool]) -> list[Route]:
        """Return routes to the current version, captured as the control arm.

        The candidate is not loaded here. whet runs it in its sandbox on the captured inputs.
        """
        controls = [control_of(tool) for tool in tools]
        return [lambda _args, _kwargs, control=control: control for control in controls]  # type: ignore[misc]

    def _routes(self, rollout: Rollout, tools: list[Tool]) -> list[Route] | None:
        """Return routes that split calls between the current version and the candidate; None if it is refused."""
        candidate = self._loaded(rollout.digest, tools)
        if candidate is None:
            return None

        def tripped(why: str) -> None:
            self._tripped[rollout.digest, rollout.split.salt] = why
            self._end_trial(tools)

        self._candidate = candidate
        split, short = rollout.split, candidate.short
        return [Routing(tool, candidate.counterpart(tool), short, split, tripped).route for tool in tools]

    def _end_trial(self, tools: list[Tool]) -> None:
        for tool in tools:
            tool.route = None
        self._trial = self._candidate = None

    def _loaded(self, digest: str, tools: list[Tool]) -> LoadedVersion | None:
        """Return the loaded version, or None if it is refused. A source file that was replaced on disk is tried again."""
        name = f"{FOLDER}/{SOURCES}/{digest}.py"
        attempt = digest, _stamp(os.path.join(self._state, name))
        if attempt in self._refused:
            return None
        if self._last_loaded is not None and self._last_loaded.digest == digest and self._last_loaded.replaces == tools:
            return self._last_loaded
        result = self._load(digest, name, tools)
        if isinstance(result, str):
            self._refused[attempt] = result[:2000]
            return None
        self._last_loaded = result
        return result

    def _load(self, digest: str, name: str, tools: list[Tool]) -> LoadedVersion | str:
        """Report that a version is being loaded, then load it: if it kills this process, the next one counts the death."""
        deaths = self._report.deaths(self._name, digest[:16])
        if deaths >= DEADLY:
            return f"{deaths} processes died of it"
        self._loading, self._since = digest[:16], time()
        self._write_report()
        result = load_in_time(digest, self._state, name, tools, self._version.module if self._version else None)
        self._loading, self._since = "", time()
        return result


def version_of(tool: Tool) -> str:
    return tool.implementation.version or tool.source.version


def swap(version: LoadedVersion, tools: list[Tool]) -> None:
    """Make the version the implementation of each tool, by one store per tool.

    The version's tools call each other within the version. Tools that it adds can only be called from there until the
    process restarts.
    """
    functions = {new.name: new.implementation.function for new in version.tools}
    for new in version.tools:
        new.swap(functions[new.name], version.short, CURRENT)
    for tool in tools:
        new = version.counterpart(tool)
        tool.swap(functions[new.name], version.short, CURRENT)
        if new.name == tool.name:
            new.implementation = tool.implementation


def _stamp(path: str) -> tuple[int, int, int] | None:
    """Return what changes when a file is replaced: time, inode and size; None if there is no file."""
    try:
        stat = os.lstat(path)
    except OSError:
        return None
    return stat.st_mtime_ns, stat.st_ino, stat.st_size
