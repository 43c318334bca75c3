"""`Routing`: picks the version that answers a call during a trial.

The calls of the old version and of the candidate are captured as two arms. A candidate that fails many times in a row is
stopped here at once; everything subtler is decided by whet's statistics from the captured calls.
"""

from __future__ import annotations

from contextvars import ContextVar
from functools import partial
from hashlib import blake2b
from itertools import islice
from random import SystemRandom

from whet.domain.execution import EVERY_ARGUMENT
from whet.domain.version import CANDIDATE, CONTROL, FALLBACK, NESTED, UNITS, Mode, Split, arm_of_unit
from whet.runtime.implementation import NEVER, Implementation
from whet.runtime.reload.crash_loop import CrashLoop

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from whet.runtime.tool import Tool

_MOST = 256
_LONGEST = 1000
_DEEPEST = 16
_NESTED = ()
_TEXTS = frozenset((str, bytes))
_SEQUENCES = frozenset((tuple, list))
_NUMBERS = frozenset((int, float, bool))
"""The hash of a number is the same in every process, and cheap however large the number is."""

_PLAIN = frozenset((("uuid", "UUID"), ("decimal", "Decimal"), ("datetime", "date"), ("datetime", "datetime")))
"""Types of the standard library whose text is the same in every process."""

_draw = SystemRandom().random
"""Not the generator of the module `random`: an application may seed that one, and relies on its sequence."""

_outer: ContextVar[tuple[str, bool] | None] = ContextVar("whet_trial_call", default=None)
"""The salt of the trial whose call is running, and True if the candidate answers it. A call that a tool makes meanwhile
runs on the same version and is not drawn: it would count as an independent call, and is none."""


class Routing:
    """The routing of one tool's calls. `candidate` is the tool of the candidate version, which its other tools may call too."""

    def __init__(self, tool: Tool, candidate: Tool, version: str, split: Split, tripped: Callable[[str], None]) -> None:
        self._tool, self._twin, self._version = tool, candidate, version
        self._old, self._new = tool.implementation, candidate.implementation.function
        self._split = split
        self._crash_loop = CrashLoop(tool.name, tripped, alone=split.share >= 1)
        fallback = _marked(
            self._old.function, tool.kind, (split.salt, False), partial(self._crash_loop.new_called, None)
        )
        self._fallback = self._shadowed(fallback, self._old_version, FALLBACK).function
        self._drawn = self._lanes(None)
        self._inner = (
            self._shadowed(self._old.function, self._old_version, NESTED).implementation,
            self._shadowed(self._new, version, NESTED).implementation,
        )
        if candidate.name == tool.name:  # the candidate's own tools call it directly
            candidate.implementation = self._inner[True]
        self._by_unit: dict[int, Implementation] = {}
        self._key_name = split.keys.get(tool.name, tool.characteristics.key)
        self._position, self._default = _parameter(self._old.function, self._key_name)

    def route(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Implementation:
        """Return the implementation that answers this call."""
        outer = _outer.get()
        if outer is not None and outer[0] == self._split.salt:
            return self._inner[outer[1]]
        key = self._key(args, kwargs) if self._key_name else ""
        if not key:
            return self._drawn[_draw() < self._split.share]
        unit = self._unit(key)
        return self._by_unit.get(unit) or self._by_unit.setdefault(unit, self._lane_of(unit))

    def _unit(self, key: str) -> int:
        """Return the group of a key: the same in every process."""
        hashed = blake2b(f"{self._split.salt}\n{key}".encode("utf-8", "backslashreplace"), digest_size=8).digest()
        return int.from_bytes(hashed, "big") % UNITS

    def _lane_of(self, unit: int) -> Implementation:
        """Return the implementation for a group of keys. The groups with the smallest numbers get the candidate."""
        return self._lanes(unit)[unit < self._split.share_of_units * UNITS]

    def _key(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> str:
        """Return the text of the routing argument, or of all arguments; empty if there is none or it has no stable text."""
        name, position = self._key_name, self._position
        if name == EVERY_ARGUMENT:
            return _stable([args, *sorted(kwargs.items())] if kwargs else args)
        value = args[position] if position is not None and position < len(args) else kwargs.get(name, self._default)
        return "" if value is None else _stable(value)

    @property
    def _old_version(self) -> str:
        return self._old.version or self._tool.source.version

    def _lanes(self, unit: int | None) -> tuple[Implementation, Implementation]:
        """Return the implementations that answer on the old version and on the candidate, for a group of keys."""
        kind, salt = self._tool.kind, self._split.salt
        arms = (CONTROL, CANDIDATE) if unit is None else (arm_of_unit(CONTROL, unit), arm_of_unit(CANDIDATE, unit))

        old = _marked(self._old.function, kind, (salt, False), partial(self._crash_loop.old_called, unit))
        new = _marked(self._new, kind, (salt, True), partial(self._crash_loop.new_called, unit))
        control = self._tool.make_implementation(old, self._old_version, arms[0])
        candidate = self._shadowed(new, self._version, arms[1]).function
        entry = Implementation(self._tool, self._guarded(candidate, unit), self._version, arms[1])
        entry.due = entry.error_due = NEVER
        return control, entry

    def _shadowed(self, function: Callable[..., Any], version: str, arm: str) -> Tool:
        """Return a second tool with the same name whose calls run this function and are captured under this version and arm."""
        return _twin(self._twin, self._tool.make_implementation(function, version, arm))

    def _guarded(self, candidate: Callable[..., Any], unit: int | None) -> Callable[..., Any]:
        """Return a function of the tool's kind that runs the candidate and watches it for a crash loop.

        In a canary of an idempotent tool, a call that fails on the candidate is answered by the old version. A generator
        has no such fallback, because the items it has yielded cannot be taken back.
        """
        kind, loop = self._tool.kind, self._crash_loop
        falls_back = self._split.mode is Mode.CANARY and self._tool.characteristics.idempotent
        fallback = self._fallback

        def call(*args: Any, **kwargs: Any) -> Any:
            try:
                output = candidate(*args, **kwargs)
            except Exception as error:
                if not falls_back:
                    loop.failed(unit, error)
                    raise
                output = fallback(*args, **kwargs)
                loop.failed_where_old_answers(error)
                return output
            loop.answered()
            return output

        async def call_async(*args: Any, **kwargs: Any) -> Any:
            try:
                output = await candidate(*args, **kwargs)
            except Exception as error:
                if not falls_back:
                    loop.failed(unit, error)
                    raise
                output = await fallback(*args, **kwargs)
                loop.failed_where_old_answers(error)
                return output
            loop.answered()
            return output

        def generate(*args: Any, **kwargs: Any) -> Any:
            try:
                returned = yield from candidate(*args, **kwargs)
            except Exception as error:
                loop.failed(unit, error)
                raise
            loop.answered()
            return returned

        if kind == "async generator":
            return candidate
        return {"plain": call, "async": call_async, "generator": generate}[kind]


def control_of(tool: Tool) -> Implementation:
    """Return the current version as an implementation that is captured as the control arm."""
    current = tool.implementation
    return tool.make_implementation(current.function, current.version or tool.source.version, CONTROL)


def _twin(tool: Tool, implementation: Implementation) -> Tool:
    """Return a second tool of the same name that runs another implementation and captures its calls."""
    from whet.runtime.tool import Tool

    twin = Tool(implementation.function, tool.name, tool.characteristics)
    twin.implementation = implementation
    return twin


def _marked(
    function: Callable[..., Any], kind: str, inside: tuple[str, bool], called: Callable[[bool], None]
) -> Callable[..., Any]:
    """Return a function of the same kind that marks the calls inside of it as calls of the trial, and tells `called`
    whether it failed.

    Both versions get this, so that it costs both the same time. A generator is not marked: the mark would also hold for
    its consumer while it waits.
    """

    def call(*args: Any, **kwargs: Any) -> Any:
        token = _outer.set(inside)
        try:
            output = function(*args, **kwargs)
        except Exception:
            called(True)  # noqa: FBT003 (on the path of every call)
            raise
        finally:
            _outer.reset(token)
        called(False)  # noqa: FBT003
        return output

    async def call_async(*args: Any, **kwargs: Any) -> Any:
        token = _outer.set(inside)
        try:
            output = await function(*args, **kwargs)
        except Exception:
            called(True)  # noqa: FBT003
            raise
        finally:
            _outer.reset(token)
        called(False)  # noqa: FBT003
        return output

    def generate(*args: Any, **kwargs: Any) -> Any:
        try:
            returned = yield from function(*args, **kwargs)
        except Exception:
            called(True)  # noqa: FBT003
            raise
        called(False)  # noqa: FBT003
        return returned

    return {"plain": call, "async": call_async, "generator": generate}.get(kind, function)


def _parameter(function: Callable[..., Any], name: str) -> tuple[int | None, Any]:
    """Return the position of a parameter, None if it has none, and its default value, None if it has none."""
    code = getattr(function, "__code__", None)
    if code is None:
        return None, None
    names = code.co_varnames[: code.co_argcount]
    if name not in names:
        return None, (getattr(function, "__kwdefaults__", None) or {}).get(name)
    position, defaults = names.index(name), getattr(function, "__defaults__", None) or ()
    after = position - (len(names) - len(defaults))
    return position, defaults[after] if after >= 0 else None


def _stable(value: Any) -> str:
    """Return the same text for the same plain data in every process.

    Other objects are left out: their text may contain an address, and computing it may run foreign code. Only the
    beginning of very large data counts.
    """
    parts: list[Any] = []
    _gather(value, parts, _DEEPEST)
    return repr(parts) if any(part is not _NESTED for part in parts) else ""


def _gather(value: Any, parts: list[Any], depth: int) -> None:
    kind = type(value)
    if kind in _NUMBERS:
        parts.append(hash(value))
    elif kind in _TEXTS:
        parts.append(value[:_LONGEST])
    elif value is None:
        parts.append(None)
    elif (kind.__module__, kind.__qualname__) in _PLAIN:
        parts.append(str(value)[:_LONGEST])
    elif depth and (kind in _SEQUENCES or kind is dict):
        parts.append(_NESTED)
        for item in value[:_MOST] if kind is not dict else islice(list(value.items()), _MOST):
            if len(parts) < _MOST:
                _gather(item, parts, depth - 1)
