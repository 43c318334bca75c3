"""Tools by name."""

from __future__ import annotations

from _thread import get_ident

from whet.errors import UsageError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

    from whet.runtime.tool import Tool


class Registry:
    """What it holds under a name is the newest tool that was registered under it: a module that is loaded again declares
    its tools again."""

    def __init__(self) -> None:
        self._tools: dict[str, Tool] = {}

    def register(self, declared: Tool | Callable[..., Any]) -> Tool:
        tool = declared_tool(declared)
        self._tools[tool.name] = tool
        return tool

    def __getitem__(self, name: str) -> Tool:
        try:
            return self._tools[name]
        except KeyError:
            known = ", ".join(sorted(self._tools)) or "none"
            raise UsageError(f"no tool is called {name!r}", f"known tools: {known}") from None

    def __contains__(self, name: object) -> bool:
        return name in self._tools

    def __iter__(self) -> Iterator[Tool]:
        return iter(list(self._tools.values()))

    def __len__(self) -> int:
        return len(self._tools)


def declared_tool(declared: Tool | Callable[..., Any]) -> Tool:
    """The tool behind a decorated function, a bound method of one, or an instance or class of `BaseTool`."""
    tool = declared if hasattr(declared, "implementation") else getattr(declared, "__whet_tool__", None)
    if tool is None:
        raise UsageError(f"{declared!r} is not a tool", "decorate it with @whet.tool")
    return tool  # type: ignore[return-value] # both attributes are only ever Tool's


DECLARED = Registry()
"""Every tool of this process, as `@tool` and `BaseTool` declare them."""

COLLECTING: dict[int, Registry] = {}
"""By thread, where the tools of a version go that is being loaded beside the one in use: callers must not find them."""


def declaring() -> Registry:
    return COLLECTING.get(get_ident(), DECLARED) if COLLECTING else DECLARED
