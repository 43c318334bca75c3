"""Which version answers a call while a candidate is tried.

The old version's calls and the candidate's are recorded as two arms. A candidate that fails again and again is taken out
here and at once; everything subtler is for the statistics that read the record.
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
"""Failures in a row."""

_MOST = 256
_LONGEST = 1000
_DEEPEST = 16
_NESTED = ()
_TEXTS = frozenset((str, bytes))
_SEQUENCES = frozenset((tuple, list))
_NUMBERS = frozenset((int, float, bool))
"""Their hashes are the same in every process, and cheap however large they are."""


class Routing:
    """One tool's part in a rollout. `candidate` is the candidate's own tool, which its other tools may call too."""

    def __init__(self, tool: Tool, candidate: Tool, version: str, split: Split, tripped: Callable[[str], None]) -> None:
        current = tool.implementation
        self._tool = tool
        self._split = split
        self._tripped = tripped
        self._failures = 0
        self._control = control_of(tool)
        self._candidate = _twin(candidate, tool.other(candidate.implementation.function, version, CANDIDATE))
        self._fallback = _twin(candidate, tool.other(current.function, self._control.version or "", FALLBACK))
        if candidate.name == tool.name:
            candidate.implementation = self._candidate.implementation
        self._entry = Implementation(tool, self._guarded(), version, CANDIDATE)
        self._entry.due = self._entry.error_due = NEVER
        self._position = _position(current.function, split.key)

    def route(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Implementation:
        if self._draw(args, kwargs) >= self._split.share:
            return self._control
        return self._entry

    def _draw(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> float:
        """The same number for the same key in every process; a call that has nothing to go by is drawn by lot."""
        key = self._key(args, kwargs)
        if not key:
            return random()  # noqa: S311 (a share of traffic, not a secret)
        hashed = blake2b(f"{self._split.salt}\n{key}".encode("utf-8", "backslashreplace"), digest_size=8).digest()
        return int.from_bytes(hashed, "big") / 2**64

    def _key(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> str:
        name = self._split.key
        if not name:
            return _stable([args, *sorted(kwargs.items())] if kwargs else args)
        if name in kwargs:
            return _stable(kwargs[name])
        if self._position is not None and self._position < len(args):
            return _stable(args[self._position])
        return ""

    def _guarded(self) -> Callable[..., Any]:
        """The candidate, watched: of the tool's own kind. What a generator has given cannot be taken back, so it has no
        fallback."""
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
    """The version in use, recorded as one side of a trial."""
    current = tool.implementation
    return tool.other(current.function, current.version or tool.source.version, CONTROL)


def _twin(tool: Tool, implementation: Implementation) -> Tool:
    """A wrapper of the same kind that runs and records another implementation."""
    from whet.runtime.tool import Tool

    twin = Tool(implementation.function, tool.name, tool.characteristics)
    twin.implementation = implementation
    return twin


def _position(function: Callable[..., Any], name: str) -> int | None:
    code = getattr(function, "__code__", None)
    names = () if code is None else code.co_varnames[: code.co_argcount]
    return names.index(name) if name in names else None


def _stable(value: Any) -> str:
    """The same text for the same plain data in every process. Other objects, whose text may hold an address or run code of
    theirs, are left out; of very large data, the beginning counts."""
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
