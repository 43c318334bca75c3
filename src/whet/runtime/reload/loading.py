"""A version's source as a module of its own, beside the one in use.

It is executed as the module would be, under its name and file, but `sys.modules` keeps the first: what others imported
from it stays the same object. Its globals are its own and fresh, except those that it names in `__whet_keep__`, which
are taken over from the version before it.
"""

from __future__ import annotations

import sys
from _thread import get_ident
from threading import Thread
from types import ModuleType

from whet.domain.version import digest_of
from whet.runtime.implementation import NEVER
from whet.runtime.registry import COLLECTING, DECLARED, Registry
from whet.runtime.reload import compatibility
from whet.runtime.reload.compatibility import Unfit
from whet.runtime.reload.run_cases import hold_cases

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from whet.runtime.tool import Tool

KEEP = "__whet_keep__"
LOAD_SECONDS = 20.0
"""A version that takes longer to import and to hold its cases is refused."""


class _Collected(Registry):
    """Takes the tools of the module that is being loaded; modules that it imports for the first time declare theirs as
    they always would."""

    def __init__(self, module: str) -> None:
        super().__init__()
        self._module = module

    def register(self, declared: Tool | Callable[..., Any]) -> Tool:
        tool: Any = declared
        return super().register(tool) if tool.source.module == self._module else DECLARED.register(tool)


class LoadedVersion:
    """`tools` are the version's own, by name: each a wrapper of its own function, so that what one tool of it calls is of
    the same version. `served` are those in use that it was checked against."""

    __slots__ = ("digest", "module", "served", "tools")

    def __init__(self, digest: str, module: ModuleType, tools: Registry, served: list[Tool]) -> None:
        self.digest = digest
        self.served = served
        self.module = module
        self.tools = tools

    @property
    def short(self) -> str:
        return self.digest[:16]

    def of(self, tool: Tool) -> Tool:
        """The version's own of a tool; for one that a class elsewhere inherits, that of the class it comes from."""
        if tool.name in self.tools:
            return self.tools[tool.name]
        for one in self.tools:
            if one.source.qualname == tool.source.qualname:
                return one
        raise Unfit(f"it has no tool {tool.name}")


def load_in_time(digest: str, path: str, tools: list[Tool], before: ModuleType | None) -> LoadedVersion | str:
    """The version, or why it was refused. A thread of its own does the work: a module or a case that never ends must not
    keep the others from being followed."""
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


def load(digest: str, source: bytes, served: list[Tool], before: ModuleType | None) -> LoadedVersion:
    """Everything that can go wrong goes wrong here, before a caller is served. Raises Unfit."""
    if digest_of(source) != digest:
        raise Unfit("its source is not what its digest says")
    module, tools = _execute(source, served[0], before)
    version = LoadedVersion(digest, module, tools, served)
    for tool in served:
        compatibility.check(tool, version.of(tool))
        problem = compatibility.class_problem(tool.source.text, source, tool.source.qualname)
        if problem:
            raise Unfit(f"{tool.name}: {problem}")
    for tool in tools:
        hold_cases(tool, module)
    return version


def _execute(source: bytes, like: Tool, before: ModuleType | None) -> tuple[ModuleType, Registry]:
    name, file = like.source.module, like.source.file or "<whet>"
    first = _in_use(like)
    module = ModuleType(name)
    for attribute in ("__file__", "__package__", "__spec__", "__loader__", "__path__"):
        if hasattr(first, attribute):
            setattr(module, attribute, getattr(first, attribute))
    collected = _Collected(name)
    COLLECTING[get_ident()] = collected
    try:
        exec(compile(source, file, "exec", dont_inherit=True), vars(module))  # noqa: S102 (an approved version, by its digest)
    except BaseException as error:  # whatever a module does at import, SystemExit too, the host goes on
        raise Unfit(f"it does not import: {error!r}") from error
    finally:
        del COLLECTING[get_ident()]
    for tool in collected:
        tool.implementation.due = tool.implementation.error_due = NEVER
    _keep(module, before or first)
    return module, collected


def _in_use(tool: Tool) -> ModuleType | None:
    """The module that declared the tool; `__main__` if that is where the program itself declared it."""
    found = sys.modules.get(tool.function.__module__)
    return found if isinstance(found, ModuleType) else None


def _keep(module: ModuleType, before: ModuleType | None) -> None:
    names = getattr(module, KEEP, ())
    if not isinstance(names, tuple | list) or not all(isinstance(name, str) for name in names):
        raise Unfit(f"{KEEP} must be a list of names")
    for name in names:
        if before is not None and hasattr(before, name):
            setattr(module, name, getattr(before, name))
