"""YAML as values: anchors followed, merge keys resolved, twins refused.

The versions of YAML read some plain words differently (`yes`, `010`, `1:30`). Such a word is kept as it is written, so
that one that means the same to one reader only is a difference.
"""

import re
from decimal import Decimal
from typing import Any

import yaml

from whet.guard.immutable.sections import Value, table

_TAG = "tag:yaml.org,2002:"
_MOST = 100_000
_PLAIN = {
    "null": re.compile(r"~|null|Null|NULL|"),
    "bool": re.compile(r"true|True|TRUE|false|False|FALSE"),
    "int": re.compile(r"[-+]?(0|[1-9][0-9]*)"),
    "float": re.compile(r"[-+]?(0|[1-9][0-9]*)\.[0-9]+([eE][-+]?[0-9]+)?"),
}
# Words to one version, numbers or truths to another.
_ELSEWHERE = re.compile(r"[yYnN]|[-+]?0o[0-7]+|[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?")


def values(text: str) -> list[Value]:
    """Raises ValueError where it cannot be read, or is more than anybody would write."""
    try:
        nodes = list(yaml.compose_all(text, Loader=yaml.SafeLoader))
    except yaml.YAMLError as problem:
        raise ValueError(f"it is not YAML: {problem}") from problem
    return [_Reading().value(node) for node in nodes]


class _Reading:
    def __init__(self) -> None:
        self._seen = 0
        self._open: set[int] = set()

    def value(self, node: Any) -> Value:
        """Aliases make small texts large and may lead back to themselves: both are refused."""
        self._seen += 1
        if self._seen > _MOST:
            raise ValueError("it is too large once its anchors are followed")
        if id(node) in self._open:
            raise ValueError("an anchor holds itself")
        self._open.add(id(node))
        found = self._value(node)
        self._open.discard(id(node))
        return found

    def _value(self, node: Any) -> Value:
        if node is None:
            return Value("null", None)
        if isinstance(node, yaml.ScalarNode):
            return _scalar(node)
        if isinstance(node, yaml.SequenceNode) and node.tag == f"{_TAG}seq":
            return Value("list", tuple(map(self.value, node.value)))
        if isinstance(node, yaml.MappingNode) and node.tag == f"{_TAG}map":
            return table(list(self._pairs(node).items()))
        raise ValueError(f"the tag {node.tag} is not known")

    def _pairs(self, node: Any) -> dict[Value, Value]:
        """A key of the table itself goes before a merged one, an earlier merged table before a later one."""
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
                raise ValueError(f"the key {key.held!r} is there twice")
            own[key] = self.value(value_node)
        if merges > 1:
            raise ValueError("the key '<<' is there twice")
        return {**merged, **own}

    def _merged(self, node: Any) -> dict[Value, Value]:
        if not isinstance(node, yaml.MappingNode):
            raise ValueError("a merge key names something that is no table")  # noqa: TRY004 - the text is at fault
        self.value(node)
        return self._pairs(node)


def _scalar(node: Any) -> Value:
    """A plain word counts as its kind where every version of YAML reads it so, else as the word itself."""
    kind = node.tag.removeprefix(_TAG)
    if kind == "str":
        return Value(
            "plain as written" if node.style is None and _ELSEWHERE.fullmatch(node.value) else "str", node.value
        )
    if kind in _PLAIN and _PLAIN[kind].fullmatch(node.value):
        return Value(kind, _meant(kind, node.value))
    if kind in (*_PLAIN, "timestamp", "binary", "value"):
        return Value(f"{kind} as written", node.value)
    raise ValueError(f"the tag {node.tag} is not known")


def _meant(kind: str, text: str) -> Any:
    if kind == "int":
        return int(text)
    if kind == "float":
        return str(Decimal(text).normalize())
    return text.lower() if kind == "bool" else None
