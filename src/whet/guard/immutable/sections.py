"""Values in a form in which only equal things are equal, and the parts of them that a dotted path names."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

Where = tuple[str, ...]


@dataclass(frozen=True)
class Value:
    """A value with its kind: 1, 1.0, true and "1" are four. A table's keys have no order, a list's items have one."""

    kind: str
    held: Any

    @property
    def children(self) -> "dict[str, Value]":
        if self.kind == "table":
            return {str(key.held) if key.kind == "str" else f"{key.kind} {key.held}": one for key, one in self.held}
        if self.kind == "list":
            return {str(at): one for at, one in enumerate(self.held)}
        return {}


def table(pairs: "Sequence[tuple[Value, Value]]") -> Value:
    return Value("table", frozenset(pairs))


def select(found: Sequence[Value], keys: Sequence[str]) -> dict[Where, Value]:
    """What a path names in any of the documents, by the place where it stands; `*` stands for every key."""
    here: dict[Where, Value] = {(str(at),): one for at, one in enumerate(found)}
    for key in keys:
        here = {
            (*where, name): child
            for where, one in here.items()
            for name, child in one.children.items()
            if key in ("*", name)
        }
    return here
