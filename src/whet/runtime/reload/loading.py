"""Load a version of a module beside the one in use.

The source is executed under the module's name and file, but `sys.modules` keeps the first module, so that objects
imported from it stay the same. The new module has fresh globals, except those it lists in `__whet_keep__`: they are taken
over from the version before.
"""

from __future__ import annotations

import sys
from _thread import get_ident
from threading import Thread
from types import ModuleType

from whet import state_folder
from whet.domain.version import digest_of
from whet.errors import StateUnusable
from whet.runtime.implementation import NEVER
from whet.runtime.registry import COLLECTING, DECLARED, Registry
from whet.runtime.reload import compatibility
from whet.runtime.reload.compatibility import Incompatible
from whet.runtime.reload.run_cases import run_cases

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from whet.runtime.tool import Tool

KEEP = "__whet_keep__"
LOAD_SECONDS = 20.0
"""A version that takes longer than this to import and to run its cases is refused."""


class _VersionTools(Registry):
    """The tools of the version that is being loaded. Tools of modules that it imports for the first time are declared as
    usual."""

    def __init__(self, module: str) -> None:
        super().__init__()
        self._module = module

    def register(self, declared: Tool | Callable[..., Any]) -> Tool:
        tool: Any = declared
        return super().register(tool) if tool.source.module == self._module else DECLARED.register(tool)


class LoadedVersion:
    """A version that was loaded and checked.

    `tools` are the version's own tools; when they call each other, they stay within the version. `replaces` are the tools
    in use that the version was checked against.
    """

    __slots__ = ("digest", "module", "replaces", "tools")

    def __init__(self, digest: str, module: ModuleType, tools: Registry, replaces: list[Tool]) -> None:
        self.digest = digest
        self.replaces = replaces
        self.module = module
        self.tools = tools

    @property
    def short(self) -> str:
        return self.digest[:16]

    def counterpart(self, tool: Tool) -> Tool:
        """Return the version's tool that replaces a tool in use.

        A class elsewhere may inherit the method: its tool has another name, but the same qualified name in the source.
        """
        if tool.name in self.tools:
            return self.tools[tool.name]
        for candidate in self.tools:
            if candidate.source.qualname == tool.source.qualname:
                return candidate
        raise Incompatible(f"it has no tool {tool.name}")


def load_in_time(
    digest: str, state: str, name: str, tools: list[Tool], before: ModuleType | None
) -> LoadedVersion | str:
    """Return the version whose source is the file `name` of the state folder, or the reason why it was refused, within `LOAD_SECONDS`.

    A separate thread does the work: a module or a case that never ends must not stop the other modules from reloading.
    """
    results: list[LoadedVersion | str] = []

    def work() -> None:
        try:
            results.append(load(digest, state_folder.read(state, name), tools, before))
        except (OSError, StateUnusable, Incompatible) as problem:
            results.append(str(problem))
        except Exception as problem:  # noqa: BLE001 (the version's own code may raise anything; it is reported)
            results.append(f"it could not be checked: {problem!r}")

    thread = Thread(target=work, name="whet-loading", daemon=True)
    thread.start()
    thread.join(LOAD_SECONDS)
    return results[0] if results else f"it was not ready within {LOAD_SECONDS:.0f} seconds"


def load(digest: str, source: bytes, replaces: list[Tool], before: ModuleType | None) -> LoadedVersion:
    """Load and check a version; raise Incompatible before any caller can reach it."""
    if digest_of(source) != digest:
        raise Incompatible("its source does not match its digest")
    module, tools = _execute(source, replaces[0], before)
    version = LoadedVersion(digest, module, tools, replaces)
    for tool in replaces:
        compatibility.check(tool, version.counterpart(tool))
        problem = compatibility.class_problem(tool.source.text, source, tool.source.qualname)
        if problem:
            raise Incompatible(f"{tool.name}: {problem}")
    for tool in tools:
        run_cases(tool, module)
    return version


def _execute(source: bytes, like: Tool, before: ModuleType | None) -> tuple[ModuleType, Registry]:
    name, file = like.source.module, like.source.file or "<whet>"
    first = _declaring_module(like)
    module = ModuleType(name)
    for attribute in ("__file__", "__package__", "__spec__", "__loader__", "__path__"):
        if hasattr(first, attribute):
            setattr(module, attribute, getattr(first, attribute))
    tools = _VersionTools(name)
    COLLECTING[get_ident()] = tools
    try:
        exec(compile(source, file, "exec", dont_inherit=True), vars(module))  # noqa: S102 (an approved version, by its digest)
    except BaseException as error:  # whatever the import raises, SystemExit too, must not reach the application
        raise Incompatible(f"it does not import: {error!r}") from error
    finally:
        del COLLECTING[get_ident()]
    for tool in tools:
        tool.implementation.due = tool.implementation.error_due = NEVER
    _take_over_globals(module, before or first)
    return module, tools


def _declaring_module(tool: Tool) -> ModuleType | None:
    """Return the module that declared the tool, which is `__main__` for tools of the program's own file."""
    module = sys.modules.get(tool.function.__module__)
    return module if isinstance(module, ModuleType) else None


def _take_over_globals(module: ModuleType, before: ModuleType | None) -> None:
    """Copy the globals that the module lists in `__whet_keep__` from the version before."""
    names = getattr(module, KEEP, ())
    if not isinstance(names, tuple | list) or not all(isinstance(name, str) for name in names):
        raise Incompatible(f"{KEEP} must be a list of names")
    for name in names:
        if before is not None and hasattr(before, name):
            setattr(module, name, getattr(before, name))
