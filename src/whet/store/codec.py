"""Decode plain data into nouns."""

from typing import Any, TypeVar

from pydantic import TypeAdapter, ValidationError

from whet.errors import Corrupt

Noun = TypeVar("Noun")
_adapters: dict[Any, TypeAdapter[Any]] = {}


def decode(cls: type[Noun], data: Any) -> Noun:
    """Return the noun of type `cls` that `data` describes. Raise Corrupt if a field is missing or has the wrong type."""
    adapter = _adapters.get(cls) or _adapters.setdefault(cls, TypeAdapter(cls))
    try:
        noun: Noun = adapter.validate_python(data)
    except ValidationError as problem:
        raise Corrupt(
            f"a recorded {getattr(cls, '__name__', cls)} cannot be read: {problem.errors()[0]['msg']}"
        ) from problem
    return noun
