"""`Routing`: picks the version that answers a call during a trial.

The calls of the old version and of the candidate are recorded as two arms. A candidate that fails many times in a row is
stopped here at once; everything subtler is decided by whet's statistics from the recorded calls.
"""

from __future__ import annotations

from hashlib import blake2b
from itertools import islice
from random import random

from whet.domain.version import CANDIDATE, CONTROL, FALLBACK, Mode, Split
from whet.runtime.implementation import NEVER, Implementation

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from whet.runtime.tool import Tool

CRASH_LOOP = 10
"""This many failures in a row stop a candidate in this process."""

_MOST = 256
_LONGEST = 1000
_DEEPEST = 16
_NESTED = ()
_TEXTS = frozenset((str, bytes))
_SEQUENCES = frozenset((tuple, list))
_NUMBERS = frozenset((int, float, bool))
"""The hash of a number is the same in every process, and cheap however large the number is."""


class Routing:
    """The routing of one tool's calls. `candidate` is the tool of the candidate version, which its other tools may call too."""

    def __init__(self, tool: Tool, candidate: Tool, version: str, split: Split, tripped: Callable[[str], None]) -> None:
        current = tool.implementation
        self._tool = tool
        self._split = split
        self._tripped = tripped
        self._failures = 0
        self._control = control_of(tool)
        self._candidate = _twin(
            candidate, tool.make_implementation(candidate.implementation.function, version, CANDIDATE)
        )
        self._fallback = _twin(
            candidate, tool.make_implementation(current.function, self._control.version or "", FALLBACK)
        )
        if candidate.name == tool.name:  # calls from the candidate's own tools are recorded in its arm as well
            candidate.implementation = self._candidate.implementation
        self._entry = Implementation(tool, self._guarded(), version, CANDIDATE)
        self._entry.due = self._entry.error_due = NEVER
        self._position = _position(current.function, split.key)

    def route(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Implementation:
        """Return the implementation that answers this call."""
        if self._draw(args, kwargs) >= self._split.share:
            return self._control
        return self._entry

    def _draw(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> float:
        """Return a number from 0 to 1: the same for the same key in every process, random for a call without a key."""
        key = self._key(args, kwargs)
        if not key:
            return random()  # noqa: S311 (a share of traffic, not a secret)
        hashed = blake2b(f"{self._split.salt}\n{key}".encode("utf-8", "backslashreplace"), digest_size=8).digest()
        return int.from_bytes(hashed, "big") / 2**64

    def _key(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> str:
        """Return the text of the routing argument, or of all arguments if the split names none."""
        name = self._split.key
        if not name:
            return _stable([args, *sorted(kwargs.items())] if kwargs else args)
        if name in kwargs:
            return _stable(kwargs[name])
        if self._position is not None and self._position < len(args):
            return _stable(args[self._position])
        return ""

    def _guarded(self) -> Callable[..., Any]:
        """Return a function of the tool's kind that runs the candidate and counts its failures in a row.

        In a canary of an idempotent tool, a call that fails on the candidate is answered by the old version. A generator
        has no such fallback, because the items it has yielded cannot be taken back.
        """
        kind = self._tool.kind
        falls_back = self._split.mode is Mode.CANARY and self._tool.characteristics.idempotent
        candidate, fallback = self._candidate.function, self._fallback.function

        def call(*args: Any, **kwargs: Any) -> Any:
            try:
                output = candidate(*args, **kwargs)
            except Exception as error:
                self._failed(error)
                if not falls_back:
                    raise
                return fallback(*args, **kwargs)
            self._failures = 0
            return output

        async def call_async(*args: Any, **kwargs: Any) -> Any:
            try:
                output = await candidate(*args, **kwargs)
            except Exception as error:
                self._failed(error)
                if not falls_back:
                    raise
                return await fallback(*args, **kwargs)
            self._failures = 0
            return output

        def generate(*args: Any, **kwargs: Any) -> Any:
            try:
                returned = yield from candidate(*args, **kwargs)
            except Exception as error:
                self._failed(error)
                raise
            self._failures = 0
            return returned

        if kind == "async generator":
            return candidate
        return {"plain": call, "async": call_async, "generator": generate}[kind]

    def _failed(self, error: Exception) -> None:
        self._failures += 1
        if self._failures == CRASH_LOOP:
            self._tripped(f"{self._tool.name} failed {CRASH_LOOP} times in a row, last with {error!r}"[:500])


def control_of(tool: Tool) -> Implementation:
    """Return the current version as an implementation that is recorded as the control arm."""
    current = tool.implementation
    return tool.make_implementation(current.function, current.version or tool.source.version, CONTROL)


def _twin(tool: Tool, implementation: Implementation) -> Tool:
    """Return a second tool of the same name that runs and records another implementation."""
    from whet.runtime.tool import Tool

    twin = Tool(implementation.function, tool.name, tool.characteristics)
    twin.implementation = implementation
    return twin


def _position(function: Callable[..., Any], name: str) -> int | None:
    """Return the position of a parameter, or None."""
    code = getattr(function, "__code__", None)
    names = () if code is None else code.co_varnames[: code.co_argcount]
    return names.index(name) if name in names else None


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
    elif depth and (kind in _SEQUENCES or kind is dict):
        parts.append(_NESTED)
        for item in value[:_MOST] if kind is not dict else islice(list(value.items()), _MOST):
            if len(parts) < _MOST:
                _gather(item, parts, depth - 1)
