"""YAML, TOML and JSON files as comparable values. A text that two parsers could read differently is refused."""

import json
import tomllib
from collections.abc import Callable
from datetime import date, datetime, time
from decimal import Decimal, InvalidOperation
from typing import Any

from whet.guard.immutable.sections import Value, table


class Unreadable(Exception):
    """A document cannot be compared; the message says why."""


def documents(path: str, text: str) -> list[Value]:
    """Return the documents of a file; TOML and JSON files have one. Raises Unreadable."""
    reader = _READERS.get(path.rpartition(".")[2].casefold())
    if reader is None:
        raise Unreadable("only YAML, TOML and JSON can be compared")
    if "\ufffd" in text:
        raise Unreadable("it is not UTF-8")
    try:
        return reader(text)
    except (ValueError, RecursionError, InvalidOperation) as problem:
        raise Unreadable(str(problem).splitlines()[0] if str(problem) else type(problem).__name__) from problem


def _toml(text: str) -> list[Value]:
    return [_value(tomllib.loads(text, parse_float=Decimal))]


def _json(text: str) -> list[Value]:
    return [
        _value(json.loads(text, parse_float=Decimal, parse_constant=_no_constant, object_pairs_hook=_no_duplicates))
    ]


def _yaml(text: str) -> list[Value]:
    from whet.guard.immutable.yaml import values  # takes a while to load

    return values(text)


def _no_constant(name: str) -> Any:
    raise ValueError(f"{name} is not a number in JSON")


def _no_duplicates(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    table = dict(pairs)
    if len(table) != len(pairs):
        raise ValueError("a key occurs twice")
    return table


def _value(raw: Any) -> Value:
    if isinstance(raw, dict):
        return table([(Value("str", key), _value(value)) for key, value in raw.items()])
    if isinstance(raw, list):
        return Value("list", tuple(map(_value, raw)))
    if isinstance(raw, datetime | date | time):
        return Value(type(raw).__name__, raw.isoformat())
    if isinstance(raw, Decimal):
        return Value("float", str(raw.normalize()))
    return Value(type(raw).__name__, raw)


_READERS: dict[str, Callable[[str], list[Value]]] = {"toml": _toml, "json": _json, "yaml": _yaml, "yml": _yaml}
