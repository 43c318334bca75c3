"""One module of this process, kept on the version that its manifest names. Only the thread that follows comes here."""

from __future__ import annotations

import os
from time import time

from whet.domain.version import CURRENT, FOLDER, MODULES, SOURCES, Mode, read_manifest
from whet.errors import Corrupt
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
    from whet.runtime.reload.report import Report
    from whet.runtime.tool import Tool

    Route = Callable[[tuple[Any, ...], dict[str, Any]], Implementation]

DEADLY = 3
"""So many processes may die of a version before the next does not load it."""


class Followed:
    """One module: the manifest as it was last read, what is in use, what was refused and why."""

    def __init__(self, name: str, state: str, report: Report, tell: Callable[[], None]) -> None:
        self._name = name
        self._root = os.path.join(state, FOLDER)
        self._report = report
        self._tell = tell
        self._manifest: Manifest | None = None
        self._seen: object = None
        self._unreadable = ""
        self._version: LoadedVersion | None = None
        self._candidate: LoadedVersion | None = None
        self._trial: Rollout | None = None
        self._kept: LoadedVersion | None = None
        """Loaded last: a trial that goes on with another share, or is promoted, goes on in the same module."""
        self._refused: dict[tuple[str, object], str] = {}
        self._tripped: dict[tuple[str, str], str] = {}
        self._problem = ""
        self._declared: dict[int, Implementation] = {}
        self._loading = ""
        self._since = 0.0

    def look(self) -> None:
        self._read(os.path.join(self._root, MODULES, f"{self._name}.json"))
        tools = self._served()
        if self._manifest is None or not tools:
            return
        known = self._manifest.knows(tools[0].source.version)
        self._problem = (
            "" if known else "it was loaded from a file that is none of the versions that the registry knows"
        )
        if known:
            self._be_current(self._manifest, tools)
            self._be_on_trial(self._manifest, tools)

    @property
    def has_something_to_tell(self) -> bool:
        return self._manifest is not None or bool(self._unreadable)

    def told(self) -> dict[str, Any]:
        tools = self._served()
        return {
            "versions": sorted({version_of(tool) for tool in tools}),
            "candidate": self._candidate.short if self._candidate and self._trial else "",
            "refused": {digest[:16]: why for (digest, _), why in [*self._refused.items(), *self._tripped.items()]},
            "problem": self._unreadable or self._problem,
            "loading": self._loading,
            "since": self._since,
        }

    def _read(self, path: str) -> None:
        seen = _signature(path)
        if seen is None or seen == self._seen:
            return
        try:
            with open(path, "rb") as stream:
                self._manifest = read_manifest(stream.read())
            self._unreadable = ""
        except FileNotFoundError:
            return
        except (OSError, Corrupt) as problem:
            self._unreadable = str(problem)
        self._seen = seen

    def _served(self) -> list[Tool]:
        """What a function declares anew with each call of it is out of reach."""
        return [one for one in DECLARED if one.source.module == self._name and "<locals>" not in one.source.qualname]

    def _be_current(self, manifest: Manifest, tools: list[Tool]) -> None:
        wanted = manifest.current.digest
        if all(version_of(tool) == wanted[:16] for tool in tools):
            return
        version = None
        if not wanted.startswith(tools[0].source.version):
            version = self._loaded(wanted, tools)
            if version is None:
                return
        self._end_trial(tools)
        self._version = version
        if version is None:
            for tool in tools:
                tool.implementation = self._declared.get(id(tool), tool.implementation)
            return
        for tool in tools:
            self._declared.setdefault(id(tool), tool.implementation)
        swap(version, tools)

    def _be_on_trial(self, manifest: Manifest, tools: list[Tool]) -> None:
        rollout = manifest.candidate
        if rollout is not None and 0 < rollout.split.until <= time():
            rollout = None
        if rollout == self._trial and all(tool.route is not None or rollout is None for tool in tools):
            return
        self._end_trial(tools)
        if rollout is None or (rollout.digest, rollout.split.salt) in self._tripped:
            return
        routes = self._shadowed(tools) if rollout.split.mode is Mode.SHADOW else self._routes(rollout, tools)
        if routes is None:
            return
        self._trial = rollout
        for tool, route in zip(tools, routes, strict=True):
            tool.route = route

    def _shadowed(self, tools: list[Tool]) -> list[Route]:
        """Nothing of the candidate comes into this process: its inputs are in the record, for another to run it on."""
        controls = [control_of(tool) for tool in tools]
        return [lambda _args, _kwargs, control=control: control for control in controls]  # type: ignore[misc]

    def _routes(self, rollout: Rollout, tools: list[Tool]) -> list[Route] | None:
        candidate = self._loaded(rollout.digest, tools)
        if candidate is None:
            return None

        def tripped(why: str) -> None:
            self._tripped[rollout.digest, rollout.split.salt] = why
            self._end_trial(tools)

        self._candidate = candidate
        split, short = rollout.split, candidate.short
        return [Routing(tool, candidate.of(tool), short, split, tripped).route for tool in tools]

    def _end_trial(self, tools: list[Tool]) -> None:
        for tool in tools:
            tool.route = None
        self._trial = self._candidate = None

    def _loaded(self, digest: str, tools: list[Tool]) -> LoadedVersion | None:
        """None if it was refused, now or before. A source that was replaced on disk is looked at again."""
        path = os.path.join(self._root, SOURCES, f"{digest}.py")
        attempt = digest, _signature(path)
        if attempt in self._refused:
            return None
        if self._kept is not None and self._kept.digest == digest and self._kept.served == tools:
            return self._kept
        answer = self._load(digest, path, tools)
        if isinstance(answer, str):
            self._refused[attempt] = answer[:2000]
            return None
        self._kept = answer
        return answer

    def _load(self, digest: str, path: str, tools: list[Tool]) -> LoadedVersion | str:
        """Says what it is about to do, so that those who come after know what it was if it is the last thing."""
        deaths = self._report.deaths(self._name, digest[:16])
        if deaths >= DEADLY:
            return f"{deaths} processes died of it"
        self._loading, self._since = digest[:16], time()
        self._tell()
        answer = load_in_time(digest, path, tools, self._version.module if self._version else None)
        self._loading, self._since = "", time()
        return answer


def version_of(tool: Tool) -> str:
    return tool.implementation.version or tool.source.version


def swap(version: LoadedVersion, tools: list[Tool]) -> None:
    """Each tool by one store. What the version's tools call among themselves stays within the version; those that it adds
    can be called from there alone until the process starts anew."""
    functions = {new.name: new.implementation.function for new in version.tools}
    for new in version.tools:
        new.swap(functions[new.name], version.short, CURRENT)
    for tool in tools:
        new = version.of(tool)
        tool.swap(functions[new.name], version.short, CURRENT)
        if new.name == tool.name:
            new.implementation = tool.implementation


def _signature(path: str) -> tuple[int, int, int] | None:
    try:
        found = os.stat(path)
    except OSError:
        return None
    return found.st_mtime_ns, found.st_ino, found.st_size
