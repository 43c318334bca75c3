"""`@tool`: a function whose calls are recorded, and whose implementation can be replaced while it is in use."""

from __future__ import annotations

from functools import update_wrapper

from whet.domain.tool_name import is_name
from whet.errors import UsageError
from whet.runtime.calls import kind_of, wrapper
from whet.runtime.implementation import Implementation
from whet.runtime.registry import declaring
from whet.runtime.source import Source, source_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any, TypeVar, overload

    from whet.runtime.case import Case

    F = TypeVar("F", bound="Callable[..., Any] | staticmethod[Any, Any] | classmethod[Any, Any, Any]")


class Characteristics:
    """What the author says of a tool. Whether it may be replayed, shadowed or retried is decided from this alone."""

    __slots__ = ("cases", "idempotent", "ignore", "mocks", "requires", "safe_for_shadow", "side_effects", "tolerance")

    def __init__(
        self,
        *,
        idempotent: bool = False,
        side_effects: bool = True,
        safe_for_shadow: bool | None = None,
        mocks: Sequence[str] = (),
        requires: Sequence[str] = (),
        cases: Sequence[Case] = (),
        ignore: Sequence[str] = (),
        tolerance: float = 0.0,
    ) -> None:
        self.idempotent = idempotent
        self.side_effects = side_effects
        self.safe_for_shadow = (not side_effects) if safe_for_shadow is None else safe_for_shadow
        """Unless it is said, a tool without side effects can run beside itself and no other can."""
        self.mocks = tuple(mocks)
        """Dotted names of what it does outside: replaced by mocks, its recorded calls may be called again."""
        self.requires = tuple(requires)
        self.cases = tuple(cases)
        self.ignore = tuple(ignore)
        self.tolerance = tolerance


class Tool:
    """`implementation` is what the next call runs: storing another one is the whole of a swap. `route`, where there is one,
    picks an implementation for each call instead; it must not raise."""

    __slots__ = ("__weakref__", "characteristics", "function", "implementation", "kind", "name", "route", "source")

    def __init__(self, function: Callable[..., Any], name: str | None, characteristics: Characteristics) -> None:
        self.source: Source = source_of(function)
        self.name = name or self.source.default_name
        self.characteristics = characteristics
        self.kind = kind_of(function)
        self.implementation = Implementation(self, function)
        self.route: Callable[[tuple[Any, ...], dict[str, Any]], Implementation] | None = None
        self.function = update_wrapper(wrapper(self, self.kind), function)
        """What callers hold."""
        self.function.__whet_tool__ = self  # type: ignore[attr-defined] # the way back from what callers hold

    def swap(self, function: Callable[..., Any], version: str, arm: str = "current") -> Implementation:
        """From the next call on, `function` runs; calls in flight finish on what they began with. Returns what it
        replaced, which can be stored back as it is."""
        replaced = self.implementation
        self.implementation = self.other(function, version, arm)
        return replaced

    def other(self, function: Callable[..., Any], version: str, arm: str) -> Implementation:
        """Another implementation of this tool, for `route` to pick or `implementation` to become."""
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
    ) -> Callable[[F], F]: ...


def tool(function: Any = None, /, *, name: str | None = None, **characteristics: Any) -> Any:
    """Declares a tool: a function or method, plain, async or a generator. What it returns is a function of the same kind
    that behaves as the one it was given."""
    checked_name(name)
    declared = Characteristics(**characteristics)
    if function is None:
        return lambda function: declare(function, name, declared)
    return declare(function, name, declared)


def checked_name(name: str | None) -> str | None:
    if name is not None and not is_name(name):
        raise UsageError(f"{name!r} cannot name a tool", "use letters, digits, _ and - in parts between dots")
    return name


def declare(function: Any, name: str | None, characteristics: Characteristics) -> Any:
    if isinstance(function, staticmethod | classmethod):
        return type(function)(declare(function.__func__, name, characteristics))
    if isinstance(function, type) or not callable(function):
        raise UsageError(f"{function!r} cannot be a tool", "decorate a function, or derive a class from whet.BaseTool")
    return declaring().register(Tool(function, name, characteristics)).function
