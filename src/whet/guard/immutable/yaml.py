"""YAML as comparable values: anchors followed, merge keys resolved, duplicate keys refused.

YAML 1.1 and 1.2 read some plain words differently (`yes`, `010`, `1:30`). Such a word is compared as it is written, so
that two spellings count as different if any version of YAML reads them differently.
"""

import re
from decimal import Decimal
from typing import Any

import yaml

from whet.guard.immutable.sections import Value, table

_TAG = "tag:yaml.org,2002:"
_MOST_NODES = 100_000
_PLAIN = {
    "null": re.compile(r"~|null|Null|NULL|"),
    "bool": re.compile(r"true|True|TRUE|false|False|FALSE"),
    "int": re.compile(r"[-+]?(0|[1-9][0-9]*)"),
    "float": re.compile(r"[-+]?(0|[1-9][0-9]*)\.[0-9]+([eE][-+]?[0-9]+)?"),
}
# Strings in one version of YAML, numbers or booleans in another.
_AMBIGUOUS = re.compile(r"[yYnN]|[-+]?0o[0-7]+|[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?")


def values(text: str) -> list[Value]:
    """Return the documents of a YAML text. Raises ValueError if it cannot be parsed or is too large."""
    try:
        nodes = list(yaml.compose_all(text, Loader=yaml.SafeLoader))
    except yaml.YAMLError as problem:
        raise ValueError(f"it is not YAML: {problem}") from problem
    return [_Converter().value(node) for node in nodes]


class _Converter:
    """Converts one document. It counts nodes, because aliases can make a small text huge or endless."""

    def __init__(self) -> None:
        self._nodes = 0
        self._open: set[int] = set()

    def value(self, node: Any) -> Value:
        self._nodes += 1
        if self._nodes > _MOST_NODES:
            raise ValueError("it is too large once its anchors are followed")
        if id(node) in self._open:
            raise ValueError("an anchor contains itself")
        self._open.add(id(node))
        value = self._convert(node)
        self._open.discard(id(node))
        return value

    def _convert(self, node: Any) -> Value:
        if node is None:
            return Value("null", None)
        if isinstance(node, yaml.ScalarNode):
            return _scalar(node)
        if isinstance(node, yaml.SequenceNode) and node.tag == f"{_TAG}seq":
            return Value("list", tuple(map(self.value, node.value)))
        if isinstance(node, yaml.MappingNode) and node.tag == f"{_TAG}map":
            return table(list(self._pairs(node).items()))
        raise ValueError(f"unknown tag {node.tag}")

    def _pairs(self, node: Any) -> dict[Value, Value]:
        """Return keys and values. Own keys override merged keys; earlier merged tables override later ones."""
        own: dict[Value, Value] = {}
        merged: dict[Value, Value] = {}
        merges = 0
        for key_node, value_node in node.value:
            if key_node.tag == f"{_TAG}merge":
                merges += 1
                parts = value_node.value if isinstance(value_node, yaml.SequenceNode) else [value_node]
                for part in parts:
                    merged = {**self._merged(part), **merged}
                continue
            key = self.value(key_node)
            if key in own:
                raise ValueError(f"the key {key.content!r} occurs twice")
            own[key] = self.value(value_node)
        if merges > 1:
            raise ValueError("the key '<<' occurs twice")
        return {**merged, **own}

    def _merged(self, node: Any) -> dict[Value, Value]:
        if not isinstance(node, yaml.MappingNode):
            raise ValueError("a merge key names something that is not a table")  # noqa: TRY004 - the text is at fault
        self.value(node)
        return self._pairs(node)


def _scalar(node: Any) -> Value:
    """Return a plain word as its kind if every version of YAML reads it so, else as it is written."""
    kind = node.tag.removeprefix(_TAG)
    if kind == "str":
        is_ambiguous = node.style is None and _AMBIGUOUS.fullmatch(node.value)
        return Value("plain as written" if is_ambiguous else "str", node.value)
    if kind in _PLAIN and _PLAIN[kind].fullmatch(node.value):
        return Value(kind, _parsed(kind, node.value))
    if kind in (*_PLAIN, "timestamp", "binary", "value"):
        return Value(f"{kind} as written", node.value)
    raise ValueError(f"unknown tag {node.tag}")


def _parsed(kind: str, text: str) -> Any:
    if kind == "int":
        return int(text)
    if kind == "float":
        return str(Decimal(text).normalize())
    return text.lower() if kind == "bool" else None
