"""Keeps the tools of this process on the version that the registry's manifests name.

One daemon thread per state folder looks at the manifests four times a second. It never waits for a caller, and a caller
never waits for it: a version is loaded, checked and tried aside, and then becomes what the next call runs.
"""

from __future__ import annotations

import os
from _thread import allocate_lock
from time import time

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from threading import Thread
    from types import ModuleType
    from typing import Any

    from whet.domain.version import Manifest, Rollout
    from whet.runtime.implementation import Implementation
    from whet.runtime.loading import LoadedVersion
    from whet.runtime.tool import Tool

    Route = Callable[[tuple[Any, ...], dict[str, Any]], Implementation]

LOOK_EVERY_SECONDS = 0.25
LOAD_SECONDS = 20.0
"""A version that takes longer to import and to hold its cases is refused."""
DEADLY = 3
"""So many processes may die of a version before the next does not load it."""

_followings: dict[str, Following] = {}
_starting = allocate_lock()


def follow(state: str, module: str) -> None:
    """From now on the tools of that module follow the registry in that folder. Called with a tool's first kept call;
    returns at once."""
    following = _followings.get(state) or _followings.setdefault(state, Following(state))
    following.modules.setdefault(module, Followed(module))
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
        self.modules: dict[str, Followed] = {}
        self.thread: Thread | None = None
        self._state = state

    def start(self) -> None:
        import atexit
        from threading import Event, Thread

        from whet.runtime.report import Report

        self.report = Report(self._state)
        self._ended = Event()
        self.thread = Thread(target=self._run, name="whet-registry", daemon=True)
        try:
            self.thread.start()
        except RuntimeError:  # no thread can be had, now or because the interpreter is ending: the version stays
            return
        if not _at_fork:
            _at_fork.append(True)
            os.register_at_fork(after_in_child=_start_anew)
        atexit.register(self.leave)
        _at_child_exit(self.leave)

    def look(self) -> None:
        for followed in list(self.modules.values()):
            followed.look(self._state, self)
        self.tell()

    def tell(self) -> None:
        told = {name: followed.told() for name, followed in list(self.modules.items()) if followed.manifest is not None}
        if told:
            self.report.write(told)

    def _run(self) -> None:
        while not self._ended.wait(LOOK_EVERY_SECONDS):
            self.look()

    def leave(self) -> None:
        self._ended.set()
        self.report.remove()


_at_fork: list[bool] = []


def _start_anew() -> None:
    """In a forked child, where only the forking thread lives on."""
    global _starting
    from whet.runtime.registry import COLLECTING

    COLLECTING.clear()
    _starting = allocate_lock()
    for following in _followings.values():
        following.start()


def _at_child_exit(leave: Callable[[], None]) -> None:
    """The children of multiprocessing leave by os._exit, past atexit."""
    import sys

    util = sys.modules.get("multiprocessing.util")
    if util is not None:
        util.Finalize(None, leave, exitpriority=0)


class Followed:
    """One module: the manifest as it was last read, what is in use, what was refused and why."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.manifest: Manifest | None = None
        self._seen: object = None
        self._version: LoadedVersion | None = None
        self._candidate: LoadedVersion | None = None
        self._trial: Rollout | None = None
        self._refused: dict[object, str] = {}
        self._tripped: dict[tuple[str, str], str] = {}
        self._problem = ""
        self._declared: dict[int, Implementation] = {}
        self._loading = ""
        self._since = 0.0

    def look(self, state: str, following: Following) -> None:
        from whet.domain.version import FOLDER, MODULES

        self._following = following
        root = os.path.join(state, FOLDER)
        self._read(os.path.join(root, MODULES, f"{self.name}.json"))
        tools = self._served()
        if self.manifest is None or not tools:
            return
        if not self.manifest.knows(tools[0].source.version):
            self._problem = "it was loaded from a file that is none of the versions that the registry knows"
            return
        self._problem = ""
        self._be_current(root, self.manifest, tools)
        self._be_on_trial(root, self.manifest, tools)

    def told(self) -> dict[str, Any]:
        tools = self._served()
        return {
            "versions": sorted({version_of(tool) for tool in tools}),
            "candidate": self._candidate.short if self._candidate and self._trial else "",
            "refused": {str(key): why for key, why in self._reasons()},
            "problem": self._problem,
            "loading": self._loading,
            "since": self._since,
        }

    def _reasons(self) -> list[tuple[str, str]]:
        unfit = [(str(key[0])[:16], why) for key, why in self._refused.items() if isinstance(key, tuple)]
        return unfit + [(digest[:16], why) for (digest, _), why in self._tripped.items()]

    def _read(self, path: str) -> None:
        from whet.domain.version import read_manifest
        from whet.errors import Corrupt

        seen = _signature(path)
        if seen is None or seen == self._seen:
            return
        try:
            with open(path, "rb") as stream:
                self.manifest = read_manifest(stream.read())
        except FileNotFoundError:
            return
        except (OSError, Corrupt) as problem:
            self._problem = str(problem)
            return
        self._seen = seen

    def _served(self) -> list[Tool]:
        """What a function declares anew with each call of it is out of reach."""
        from whet.runtime.registry import DECLARED

        return [one for one in DECLARED if one.source.module == self.name and "<locals>" not in one.source.qualname]

    def _be_current(self, root: str, manifest: Manifest, tools: list[Tool]) -> None:
        wanted = manifest.current.digest
        if all(version_of(tool) == wanted[:16] for tool in tools):
            return
        version = None
        if not wanted.startswith(tools[0].source.version):
            version = self._loaded(root, wanted, tools)
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

    def _be_on_trial(self, root: str, manifest: Manifest, tools: list[Tool]) -> None:
        rollout = manifest.candidate
        if rollout == self._trial and all(tool.route is not None or rollout is None for tool in tools):
            return
        self._end_trial(tools)
        if rollout is None or (rollout.digest, rollout.split.salt) in self._tripped:
            return
        routes = self._shadowed(tools) if rollout.split.mode == "shadow" else self._routes(root, rollout, tools)
        if routes is None:
            return
        self._trial = rollout
        for tool, route in zip(tools, routes, strict=True):
            tool.route = route

    def _shadowed(self, tools: list[Tool]) -> list[Route]:
        """Nothing of the candidate comes into this process: its inputs are in the record, for another to run it on."""
        from whet.runtime.routing import control_of

        controls = [control_of(tool) for tool in tools]
        return [lambda _args, _kwargs, control=control: control for control in controls]  # type: ignore[misc]

    def _routes(self, root: str, rollout: Rollout, tools: list[Tool]) -> list[Route] | None:
        candidate = self._loaded(root, rollout.digest, tools)
        if candidate is None:
            return None
        from whet.runtime.routing import Routing

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

    def _loaded(self, root: str, digest: str, tools: list[Tool]) -> LoadedVersion | None:
        """None if it was refused, now or before. A source that was replaced on disk is looked at again."""
        from whet.domain.version import SOURCES

        path = os.path.join(root, SOURCES, f"{digest}.py")
        attempt = digest, _signature(path)
        if attempt in self._refused:
            return None
        answer = self._load(digest, path, tools)
        if isinstance(answer, str):
            self._refused[attempt] = answer[:2000]
            return None
        return answer

    def _load(self, digest: str, path: str, tools: list[Tool]) -> LoadedVersion | str:
        """Says what it is about to do, so that those who come after know what it was if it is the last thing."""
        deaths = self._following.report.deaths(self.name, digest[:16])
        if deaths >= DEADLY:
            return f"{deaths} processes died of it"
        self._loading, self._since = digest[:16], time()
        self._following.tell()
        answer = _in_time(digest, path, tools, self._version.module if self._version else None)
        self._loading, self._since = "", time()
        return answer


def version_of(tool: Tool) -> str:
    return tool.implementation.version or tool.source.version


def swap(version: LoadedVersion, tools: list[Tool]) -> None:
    """Each tool by one store; what the version's tools call among themselves stays within the version."""
    from whet.domain.version import CURRENT
    from whet.runtime.registry import DECLARED

    functions = {new.name: new.implementation.function for new in version.tools}
    for tool in tools:
        new = version.of(tool)
        tool.swap(functions[new.name], version.short, CURRENT)
        if new.name == tool.name:
            new.implementation = tool.implementation
    for new in version.tools:
        if new.name not in DECLARED:
            new.swap(functions[new.name], version.short, CURRENT)
            DECLARED.register(new)


def _in_time(digest: str, path: str, tools: list[Tool], before: ModuleType | None) -> LoadedVersion | str:
    """The version, or why it was refused. A thread of its own does the work: a module or a case that never ends must not
    keep the others from being followed."""
    from threading import Thread

    from whet.runtime.fitness import Unfit
    from whet.runtime.loading import load

    answers: list[LoadedVersion | str] = []

    def work() -> None:
        try:
            with open(path, "rb") as stream:
                source = stream.read()
            answers.append(load(digest, source, tools, before))
        except (OSError, Unfit) as problem:
            answers.append(str(problem))
        except Exception as problem:  # noqa: BLE001 (code of the version's own, while it was looked at; reported)
            answers.append(f"it could not be checked: {problem!r}")

    thread = Thread(target=work, name="whet-loading", daemon=True)
    thread.start()
    thread.join(LOAD_SECONDS)
    return answers[0] if answers else f"it was not ready within {LOAD_SECONDS:.0f} seconds"


def _signature(path: str) -> tuple[int, int, int] | None:
    try:
        found = os.stat(path)
    except OSError:
        return None
    return found.st_mtime_ns, found.st_ino, found.st_size
