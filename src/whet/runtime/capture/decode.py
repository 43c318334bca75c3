"""Decode captured inputs and outputs back into Python values, for replaying calls.

Decoding imports the classes that data objects and enumerations name, so it must run where the tool's own code may run. Objects
are created without calling `__init__`, so that they have the captured fields and no side effects happen.
"""

from __future__ import annotations

import json
from binascii import a2b_base64
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from fractions import Fraction
from importlib import import_module
from pathlib import Path
from uuid import UUID

from whet.errors import UsageError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any


def inputs(text: str) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """Return the positional and keyword arguments of a replayable call."""
    args, kwargs = json.loads(text)
    return tuple(value(item) for item in args), {name: value(item) for name, item in kwargs.items()}


def output(text: str) -> Any:
    """Return the captured output of a call."""
    return value(json.loads(text))


def value(plain: Any) -> Any:
    """Return the value of decoded JSON; raise UsageError for a placeholder of a value that was not captured."""
    if isinstance(plain, list):
        return [value(item) for item in plain]
    if not isinstance(plain, dict):
        return plain
    tag = next(iter(plain), "")
    if len(plain) == 1 and tag.startswith("$"):
        if tag not in _READERS:
            raise UsageError(f"a value that is {tag[1:]} cannot be restored", "decode replayable calls only")
        return _READERS[tag](plain[tag])
    return {key: value(item) for key, item in plain.items()}


def _named(name: str) -> Any:
    module, _, qualname = name.partition(":")
    target: Any = import_module(module)
    for part in qualname.split("."):
        target = getattr(target, part)
    return target


def _data_object(body: Any) -> Any:
    name, members = body
    kind = _named(name)
    instance = object.__new__(kind)
    for member, item in members.items():
        object.__setattr__(instance, member, value(item))
    if hasattr(kind, "__pydantic_fields__"):
        object.__setattr__(instance, "__pydantic_fields_set__", set(members))
        object.__setattr__(instance, "__pydantic_extra__", None)
        object.__setattr__(instance, "__pydantic_private__", None)
    return instance


_READERS: dict[str, Callable[[Any], Any]] = {
    "$tuple": lambda body: tuple(value(body)),
    "$set": lambda body: set(value(body)),
    "$frozenset": lambda body: frozenset(value(body)),
    "$dict": lambda body: {value(key): value(item) for key, item in body},
    "$bytes": a2b_base64,
    "$bytearray": lambda body: bytearray(value(body)),
    "$int": lambda body: int(body, 16),
    "$float": float,
    "$complex": lambda body: complex(*value(body)),
    "$datetime": datetime.fromisoformat,
    "$date": date.fromisoformat,
    "$time": time.fromisoformat,
    "$timedelta": lambda body: timedelta(*body),
    "$decimal": Decimal,
    "$fraction": Fraction,
    "$uuid": UUID,
    "$path": Path,
    "$type": _named,
    "$enum": lambda body: _named(body[0])[body[1]],
    "$namedtuple": lambda body: _named(body[0])._make(value(body[1])),
    "$record": _data_object,
    "$generator": lambda body: (value(body[0]), value(body[1])),
}
