"""YAML, TOML and JSON as values that can be compared. What two readers could read differently is not readable."""

import json
import tomllib
from collections.abc import Callable
from datetime import date, datetime, time
from decimal import Decimal, InvalidOperation
from typing import Any

from whet.guard.immutable.sections import Value, table


class Unreadable(Exception):
    """A sentence that says why."""


def documents(path: str, text: str) -> list[Value]:
    """Every document that a file holds; in TOML and JSON there is one."""
    reader = _READERS.get(path.rpartition(".")[2].casefold())
    if reader is None:
        raise Unreadable("only YAML, TOML and JSON can be")
    if "\ufffd" in text:
        raise Unreadable("it is not UTF-8")
    try:
        return reader(text)
    except (ValueError, RecursionError, InvalidOperation) as problem:
        raise Unreadable(str(problem).splitlines()[0] if str(problem) else type(problem).__name__) from problem


def _toml(text: str) -> list[Value]:
    return [_value(tomllib.loads(text, parse_float=Decimal))]


def _json(text: str) -> list[Value]:
    return [_value(json.loads(text, parse_float=Decimal, parse_constant=_no_constant, object_pairs_hook=_no_twins))]


def _yaml(text: str) -> list[Value]:
    from whet.guard.immutable.yaml import values  # takes a while to load

    return values(text)


def _no_constant(name: str) -> Any:
    raise ValueError(f"{name} is no number in JSON")


def _no_twins(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a key is there twice")
    return found


def _value(raw: Any) -> Value:
    if isinstance(raw, dict):
        return table([(Value("str", key), _value(one)) for key, one in raw.items()])
    if isinstance(raw, list):
        return Value("list", tuple(map(_value, raw)))
    if isinstance(raw, datetime | date | time):
        return Value(type(raw).__name__, raw.isoformat())
    if isinstance(raw, Decimal):
        return Value("float", str(raw.normalize()))
    return Value(type(raw).__name__, raw)


_READERS: dict[str, Callable[[str], list[Value]]] = {"toml": _toml, "json": _json, "yaml": _yaml, "yml": _yaml}
