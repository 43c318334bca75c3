"""`Registry`: tools by name, and the registry of the tools that this process has declared."""

from __future__ import annotations

from _thread import get_ident

from whet.errors import UsageError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

    from whet.runtime.tool import Tool


class Registry:
    """Tools by name. Registering a name again replaces the tool, because a module that is imported again declares its
    tools again."""

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
            names = ", ".join(sorted(self._tools)) or "none"
            raise UsageError(f"no tool is called {name!r}", f"known tools: {names}") from None

    def __contains__(self, name: object) -> bool:
        return name in self._tools

    def __iter__(self) -> Iterator[Tool]:
        return iter(list(self._tools.values()))

    def __len__(self) -> int:
        return len(self._tools)


def declared_tool(declared: Tool | Callable[..., Any]) -> Tool:
    """Return the tool of a decorated function, of a bound method, or of an instance or subclass of `BaseTool`."""
    tool = declared if hasattr(declared, "implementation") else getattr(declared, "__whet_tool__", None)
    if tool is None:
        raise UsageError(f"{declared!r} is not a tool", "decorate it with @whet.tool")
    return tool  # type: ignore[return-value] # both attributes are only ever Tool's


DECLARED = Registry()
"""Every tool that `@tool` and `BaseTool` have declared in this process."""

COLLECTING: dict[int, Registry] = {}
"""By thread id: the registry that collects the tools of a candidate version while that thread imports it. They must not
enter `DECLARED`, where callers would find them."""


def declaring() -> Registry:
    """Return the registry that a tool declared on this thread belongs to."""
    return COLLECTING.get(get_ident(), DECLARED) if COLLECTING else DECLARED
