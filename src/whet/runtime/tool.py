"""`@tool`: a function whose calls are captured, and whose implementation can be replaced while it is in use."""

from __future__ import annotations

from functools import update_wrapper

from whet.domain.execution import EVERY_ARGUMENT
from whet.domain.tool_name import is_name
from whet.errors import UsageError
from whet.runtime.calls import kind_of, wrapper
from whet.runtime.characteristics import Characteristics
from whet.runtime.implementation import Implementation
from whet.runtime.registry import declaring
from whet.runtime.source import ToolSource, source_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any, TypeVar, overload

    from whet.runtime.case import Case

    F = TypeVar("F", bound="Callable[..., Any] | staticmethod[Any, Any] | classmethod[Any, Any, Any]")


_ANY_KEYWORDS = 0x08
"""The flag of a code object whose function takes any keyword arguments."""


class Tool:
    """A declared tool.

    `implementation` is run by the next call; storing another one replaces it. During a trial `route` picks an
    implementation for each call instead; it must not raise.
    """

    __slots__ = ("__weakref__", "characteristics", "function", "implementation", "kind", "name", "route", "source")

    def __init__(self, function: Callable[..., Any], name: str | None, characteristics: Characteristics) -> None:
        self.source: ToolSource = source_of(function)
        self.name = name or self.source.default_name
        self.characteristics = characteristics
        self.kind = kind_of(function)
        self.implementation = Implementation(self, function)
        self.route: Callable[[tuple[Any, ...], dict[str, Any]], Implementation] | None = None
        self.function = update_wrapper(wrapper(self, self.kind), function)
        """The wrapper that callers get."""
        self.function.__whet_tool__ = self  # type: ignore[attr-defined] # lets `declared_tool` find the tool

    def swap(self, function: Callable[..., Any], version: str, arm: str = "current") -> Implementation:
        """Run `function` from the next call on and return the replaced implementation, which can be stored back.

        Calls in flight finish on the implementation that they began with.
        """
        replaced = self.implementation
        self.implementation = self.make_implementation(function, version, arm)
        return replaced

    def make_implementation(self, function: Callable[..., Any], version: str, arm: str) -> Implementation:
        """Return another implementation of this tool, without putting it to use."""
        if kind_of(function) != self.kind:
            raise UsageError(f"{self.name} is {self.kind}; {kind_of(function)} cannot take its place")
        return Implementation(self, function, version, arm)

    def __repr__(self) -> str:
        return f"<tool {self.name}>"


if TYPE_CHECKING:

    @overload
    def tool(function: F, /) -> F: ...

    @overload
    def tool(
        *,
        name: str | None = None,
        idempotent: bool = False,
        side_effects: bool = True,
        safe_for_shadow: bool | None = None,
        mocks: Sequence[str] = (),
        requires: Sequence[str] = (),
        cases: Sequence[Case] = (),
        ignore: Sequence[str] = (),
        tolerance: float = 0.0,
        key: str = "",
    ) -> Callable[[F], F]: ...


def tool(function: Any = None, /, *, name: str | None = None, **characteristics: Any) -> Any:
    """Declare a function or method as a tool: plain, async or a generator.

    Returns a function of the same kind that behaves like the given one and captures its calls.
    """
    check_name(name)
    declared = Characteristics(**characteristics)
    if function is None:
        return lambda function: declare(function, name, declared)
    return declare(function, name, declared)


def check_name(name: str | None) -> str | None:
    """Return the name unchanged; raise UsageError if a tool cannot have it."""
    if name is not None and not is_name(name):
        raise UsageError(f"{name!r} cannot name a tool", "use letters, digits, _ and - in parts between dots")
    return name


def check_key(function: Any, key: str) -> None:
    """Raise UsageError if the routing key is not a parameter of the function, as far as its parameters are known."""
    code = getattr(function, "__code__", None)
    if not key or key == EVERY_ARGUMENT or code is None or code.co_flags & _ANY_KEYWORDS:
        return
    names = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
    if key not in names:
        raise UsageError(
            f"{key!r} is not a parameter of {function.__qualname__}", f"its parameters: {', '.join(names)}"
        )


def declare(function: Any, name: str | None, characteristics: Characteristics) -> Any:
    """Register a tool for the function and return its wrapper; staticmethod and classmethod objects stay what they are."""
    if isinstance(function, staticmethod | classmethod):
        return type(function)(declare(function.__func__, name, characteristics))
    if isinstance(function, type) or not callable(function):
        raise UsageError(f"{function!r} cannot be a tool", "decorate a function, or derive a class from whet.BaseTool")
    check_key(function, characteristics.key)
    return declaring().register(Tool(function, name, characteristics)).function
