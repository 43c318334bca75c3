"""Versions of a text without one of its parts: a section or an item of Markdown, an item of a list in YAML or JSON."""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

_HEADING = re.compile(r"(#{1,6})\s+(.*\S)")
_ITEM = re.compile(r"[-*+]\s+\S|\d+[.)]\s+\S")
_FENCE = re.compile(r"\s*(```|~~~)")
_LONGEST_NAME = 60


@dataclass(frozen=True)
class ShorterText:
    """A text without one part; `change` names the part."""

    change: str
    text: str


def without_each_part(path: str, text: str) -> Iterator[ShorterText]:
    """Yield the versions of a text that lack one part. Everything else stays as it is, to the byte."""
    if path.endswith((".yaml", ".yml", ".json")):
        yield from _without_list_items(path, text)
    elif not path.endswith((".toml", ".py")):
        yield from _without_sections(text)


def _without_sections(text: str) -> Iterator[ShorterText]:
    lines = text.splitlines(keepends=True)
    headings, items = _headings(lines), _items(lines)
    for number, (start, level, title) in enumerate(headings):
        end = next((place for place, depth, _ in headings[number + 1 :] if depth <= level), len(lines))
        if end - start < len([line for line in lines if line.strip()]):  # the title of the whole text is no part of it
            yield ShorterText(f"without the section {_shown(title)}", "".join([*lines[:start], *lines[end:]]))
    for start, end in items:
        yield ShorterText(f"without the item {_shown(lines[start])}", "".join([*lines[:start], *lines[end:]]))


def _headings(lines: list[str]) -> list[tuple[int, int, str]]:
    """Return (line, level, title) of each heading outside code blocks."""
    found: list[tuple[int, int, str]] = []
    for place, line in _outside_code(lines):
        if heading := _HEADING.match(line):
            found.append((place, len(heading[1]), heading[2]))
    return found


def _items(lines: list[str]) -> list[tuple[int, int]]:
    """Return (first line, line after the last) of each top-level list item; its indented lines belong to it."""
    items = []
    for place, line in _outside_code(lines):
        if _ITEM.match(line):
            end = place + 1
            while end < len(lines) and lines[end].startswith((" ", "\t")) and lines[end].strip():
                end += 1
            items.append((place, end))
    return items


def _outside_code(lines: list[str]) -> Iterator[tuple[int, str]]:
    inside = False
    for place, line in enumerate(lines):
        if _FENCE.match(line):
            inside = not inside
        elif not inside:
            yield place, line


def _without_list_items(path: str, text: str) -> Iterator[ShorterText]:
    """Yield the file without each item of a block list. A version counts only if its data is the old data without the item."""
    from ruamel.yaml import YAML
    from ruamel.yaml.error import YAMLError

    try:
        document = YAML(typ="rt").load(text)
        data = _data(path, text)
    except (YAMLError, ValueError):
        return
    lines = text.splitlines(keepends=True)
    for keys, items in _lists(document, ()):
        for number in range(len(items)):
            start = items.lc.item(number)[0]
            end = items.lc.item(number + 1)[0] if number + 1 < len(items) else _end_of_item(lines, start)
            shorter = "".join([*lines[:start], *lines[end:]])
            try:
                left = _data(path, shorter)
            except (YAMLError, ValueError):
                continue
            if left == _without(data, (*keys, number)):
                shown = _shown(json.dumps(_at(data, (*keys, number)), default=str))
                yield ShorterText(f"without {shown} in {'.'.join(map(str, keys)) or 'the list'}", shorter)


def _end_of_item(lines: list[str], start: int) -> int:
    indent = len(lines[start]) - len(lines[start].lstrip())
    end = start + 1
    while end < len(lines) and (not lines[end].strip() or len(lines[end]) - len(lines[end].lstrip()) > indent):
        end += 1
    while end > start + 1 and not lines[end - 1].strip():
        end -= 1  # blank lines belong to what follows
    return end


def _lists(node: Any, keys: tuple[Any, ...]) -> Iterator[tuple[tuple[Any, ...], Any]]:
    if isinstance(node, Mapping):
        for key, child in node.items():
            yield from _lists(child, (*keys, key))
    elif isinstance(node, list):
        if len(node) > 1:
            yield keys, node
        for number, child in enumerate(node):
            yield from _lists(child, (*keys, number))


def _data(path: str, text: str) -> Any:
    if path.endswith(".json"):
        return json.loads(text)
    from ruamel.yaml import YAML

    return YAML(typ="safe", pure=True).load(text)


def _at(data: Any, keys: tuple[Any, ...]) -> Any:
    for key in keys:
        data = data[key]
    return data


def _without(data: Any, keys: tuple[Any, ...]) -> Any:
    """Return the data without the list item at the end of the keys."""
    first, *rest = keys
    if isinstance(data, list):
        if not rest:
            return data[:first] + data[first + 1 :]
        return [*data[:first], _without(data[first], tuple(rest)), *data[first + 1 :]]
    return {key: _without(value, tuple(rest)) if key == first else value for key, value in data.items()}


def _shown(text: str) -> str:
    line = " ".join(text.split())
    return f"'{line[:_LONGEST_NAME]}...'" if len(line) > _LONGEST_NAME else f"'{line}'"
