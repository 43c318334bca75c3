"""Comparable values, and the selection of their parts by dotted paths."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

# The number of the document, then the keys that lead to a value.
Place = tuple[str, ...]


@dataclass(frozen=True)
class Value:
    """A value with its kind, so that 1, 1.0, true and "1" differ. Tables have no order, lists do."""

    kind: str
    content: Any

    @property
    def children(self) -> "dict[str, Value]":
        if self.kind == "table":
            return {_shown(key): value for key, value in self.content}
        if self.kind == "list":
            return {str(index): item for index, item in enumerate(self.content)}
        return {}


def _shown(key: Value) -> str:
    return str(key.content) if key.kind == "str" else f"{key.kind} {key.content}"


def table(pairs: "Sequence[tuple[Value, Value]]") -> Value:
    return Value("table", frozenset(pairs))


def select(documents: Sequence[Value], keys: Sequence[str]) -> dict[Place, Value]:
    """Return the values that a path of keys names in the documents, by their place; `*` stands for every key."""
    selected: dict[Place, Value] = {(str(index),): document for index, document in enumerate(documents)}
    for key in keys:
        selected = {
            (*place, name): child
            for place, value in selected.items()
            for name, child in value.children.items()
            if key in ("*", name)
        }
    return selected
