"""The units in which two versions of a file differ, and the newer file with one of them as it was before.

A unit is a constant or a function of a Python file, a key of a settings file, and otherwise the whole file.
"""

import ast
import io
import json
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Any

from whet.pyast.functions import Function, functions

_MISSING = object()
_SETTINGS = (".json", ".yaml", ".yml", ".toml")
Keys = tuple[str, ...]


@dataclass(frozen=True)
class EarlierUnit:
    """A unit that differs, and the newer file with only this unit as before. The name of a whole file is empty."""

    name: str
    content: bytes


def earlier_units(path: str, before: bytes, after: bytes) -> list[EarlierUnit]:
    """Return the units that are in both versions and differ; the whole file if none can be told apart."""
    try:
        if path.endswith(".py"):
            units = list(_python_units(before.decode(), after.decode()))
        elif PurePosixPath(path).suffix in _SETTINGS:
            units = list(_key_units(PurePosixPath(path).suffix, before.decode(), after.decode()))
        else:
            units = []
    except (ValueError, SyntaxError, RecursionError, MemoryError):  # the files cannot be parsed
        units = []
    return units or [EarlierUnit("", before)]


def _python_units(before: str, after: str) -> Iterator[EarlierUnit]:
    old, new = _nodes(before), _nodes(after)
    for name, node in new.items():
        if name in old and ast.dump(node) != ast.dump(old[name]):
            text = _spliced(after, node, before, old[name])
            if _parses(text):
                yield EarlierUnit(name, text.encode())


def _nodes(text: str) -> dict[str, ast.stmt]:
    """Return functions by dotted name, and the assignments to a single name at the top of the file."""
    tree = ast.parse(text)
    nodes: dict[str, ast.stmt] = {name: node for name, node in functions(tree).items() if isinstance(node, Function)}
    for statement in tree.body:
        targets = statement.targets if isinstance(statement, ast.Assign) else []
        targets = [statement.target] if isinstance(statement, ast.AnnAssign) else targets
        if len(targets) == 1 and isinstance(targets[0], ast.Name):
            nodes[targets[0].id] = statement
    return nodes


def _spliced(text: str, node: ast.stmt, source: str, earlier: ast.stmt) -> str:
    """Return the text with the lines of a statement replaced by those of its earlier version."""
    lines, (first, last) = text.splitlines(keepends=True), _span(node)
    earlier_first, earlier_last = _span(earlier)
    return "".join(
        [*lines[: first - 1], *source.splitlines(keepends=True)[earlier_first - 1 : earlier_last], *lines[last:]]
    )


def _span(node: ast.stmt) -> tuple[int, int]:
    """Return the first and the last line, with the decorators."""
    decorators = node.decorator_list if isinstance(node, Function) else []
    return min([node.lineno, *(decorator.lineno for decorator in decorators)]), node.end_lineno or node.lineno


def _parses(text: str) -> bool:
    try:
        ast.parse(text)
    except (SyntaxError, ValueError):
        return False
    return True


def _key_units(suffix: str, before: str, after: str) -> Iterator[EarlierUnit]:
    """Yield a unit for each changed key. Comments and order of the newer file stay where its format allows."""
    old, new = _loaded(suffix, before), _loaded(suffix, after)
    for keys in _changed(old, new):
        document = _loaded(suffix, after)
        holder = _value(document, keys[:-1])
        earlier = _value(old, keys)
        if earlier is _MISSING:
            del holder[keys[-1]]
        else:
            holder[keys[-1]] = earlier
        text = _in_json(after, keys, earlier, document) if suffix == ".json" else _dumped(suffix, document)
        yield EarlierUnit(".".join(keys), text.encode())


def _in_json(text: str, keys: Keys, value: Any, wanted: Any) -> str:
    """Return the text with one value replaced in place; where that does not give the wanted document, written anew."""
    if value is not _MISSING:
        holder = _value(_loaded(".yaml", text), keys[:-1])  # JSON is YAML, and only this reader knows where a value is
        line, column = holder.lc.value(keys[-1]) if keys[-1] in holder else (0, 0)
        start = sum(map(len, text.splitlines(keepends=True)[:line])) + column
        with suppress(ValueError):
            _, end = json.JSONDecoder().raw_decode(text, start)
            replaced = f"{text[:start]}{json.dumps(value, ensure_ascii=False)}{text[end:]}"
            if json.loads(replaced) == wanted:
                return replaced
    second = text.splitlines()[1:2]
    indent = len(second[0]) - len(second[0].lstrip()) if second else 0
    end_of_file = "\n" if text.endswith("\n") else ""
    return json.dumps(wanted, indent=indent or None, ensure_ascii=False) + end_of_file


def _changed(old: Any, new: Any, above: Keys = ()) -> Iterator[Keys]:
    """Yield the paths of keys whose values differ, as deep as both sides are tables."""
    if not isinstance(old, Mapping) or not isinstance(new, Mapping):
        return
    for key in dict.fromkeys([*old, *new]):
        left, right = old.get(key, _MISSING), new.get(key, _MISSING)
        if left == right or not isinstance(key, str):
            continue
        if isinstance(left, Mapping) and isinstance(right, Mapping):
            yield from _changed(left, right, (*above, key))
        else:
            yield (*above, key)


def _value(document: Any, keys: Keys) -> Any:
    for key in keys:
        document = document.get(key, _MISSING)
    return document


def _loaded(suffix: str, text: str) -> Any:
    """Read a settings file. Raise ValueError if it cannot be read."""
    if suffix == ".json":
        return json.loads(text)
    if suffix == ".toml":
        import tomlkit
        from tomlkit.exceptions import TOMLKitError

        try:
            return tomlkit.parse(text)
        except TOMLKitError as problem:
            raise ValueError("not TOML") from problem
    from ruamel.yaml import YAML
    from ruamel.yaml.error import YAMLError

    try:
        return YAML(typ="rt").load(text)
    except YAMLError as problem:
        raise ValueError("not YAML") from problem


def _dumped(suffix: str, document: Any) -> str:
    if suffix == ".toml":
        import tomlkit

        return tomlkit.dumps(document)
    from ruamel.yaml import YAML

    writer, stream = YAML(typ="rt"), io.StringIO()
    writer.preserve_quotes = True
    writer.width = 4096
    writer.dump(document, stream)
    return stream.getvalue()
