"""Literals that a patch adds to a file and that also stand in the target tests."""

import ast
import re
from collections.abc import Iterator, Sequence

from whet.pyast.functions import Function, docstrings, parameters

_SHORTEST_TEXT = 3
# Numbers that code writes for their own sake: units, bases, percentages.
_ORDINARY = {
    -1, 0, 1, 2, 3, 4, 5, 7, 8, 10, 12, 16, 24, 30, 32, 60, 64, 100, 128, 255, 256, 360, 365, 1000, 1024, 3600, 0.5,
}  # fmt: skip
_KEYED = {"get", "pop", "setdefault", "getattr", "hasattr", "setattr", "startswith", "endswith"}
_SPOKEN = {"warn", "debug", "info", "warning", "error", "exception", "critical", "log"}


def find_shared_literal(old: str, new: str, tests: Sequence[ast.AST]) -> str:
    """Describe the first literal that only the new text has and that stands in one of the tests; else empty.

    Left out: ordinary numbers, short texts, docstrings, messages, and texts that name something (keys, attributes).
    """
    before, after = _parse(old), _parse(new)
    if before is None or after is None:
        return ""
    known = {_key(node.value) for node in ast.walk(before) if isinstance(node, ast.Constant)}
    asked = {_key(node.value) for test in tests for node in ast.walk(test) if isinstance(node, ast.Constant)}
    left_out = {id(node) for node in _names_and_messages(after)}
    keys = {_key(key.value) for test in tests for key in _keys(test) if isinstance(key, ast.Constant)}
    left_out |= {id(node) for node in _tested_keys(after) if _key(node.value) in keys}
    for node in ast.walk(after):
        if isinstance(node, ast.Constant) and id(node) not in left_out and _is_telling(node.value):
            key = _key(node.value)
            if key in asked and key not in known:
                return f"line {node.lineno} writes down {node.value!r}, which stands in the target test"
    return next(_short_texts(after, old, asked), "")


def _short_texts(tree: ast.Module, old: str, asked: set[tuple[str, str]]) -> Iterator[str]:
    """Describe parameters that are compared with a letter or two that stand in the tests and nowhere in the old text."""
    for function in ast.walk(tree):
        if not isinstance(function, Function):
            continue
        names = parameters(function.args)
        for node in ast.walk(function):
            match node:
                case ast.Compare(left=ast.Name(id=name), ops=[ast.Eq()], comparators=[ast.Constant(value=str(text))]):
                    short = text.isalnum() and len(text) < _SHORTEST_TEXT
                    if short and name in names and _key(text) in asked and not re.search(rf"['\"`]{text}['\"`]", old):
                        yield f"line {node.lineno} compares `{name}` with {text!r}, which stands in the target test"


def _keys(test: ast.AST) -> Iterator[ast.expr | None]:
    """Yield the keys of dictionaries in a test."""
    for node in ast.walk(test):
        if isinstance(node, ast.Dict):
            yield from node.keys


def _tested_keys(tree: ast.AST) -> Iterator[ast.Constant]:
    """Yield the constants of `"key" in value`."""
    for node in ast.walk(tree):
        match node:
            case ast.Compare(left=ast.Constant() as key, ops=[ast.In() | ast.NotIn()]):
                yield key


def _names_and_messages(tree: ast.AST) -> Iterator[ast.AST]:
    """Yield the constants that name something or are read by people."""
    yield from docstrings(tree)
    for node in ast.walk(tree):
        match node:
            case ast.Raise() | ast.JoinedStr() | ast.Assert():
                yield from ast.walk(node)
            case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name)) if name in _KEYED | _SPOKEN:
                yield from (inner for argument in node.args for inner in ast.walk(argument))
            case ast.Subscript(slice=part):
                yield from ast.walk(part)
            case ast.Dict(keys=keys):
                yield from (key for key in keys if key is not None)
            case ast.arg(annotation=ast.expr() as annotation) | ast.AnnAssign(annotation=annotation):
                yield from ast.walk(annotation)


def _is_telling(value: object) -> bool:
    if isinstance(value, str | bytes):
        return len(value.strip()) >= _SHORTEST_TEXT
    return isinstance(value, int | float | complex) and not isinstance(value, bool) and value not in _ORDINARY


def _key(value: object) -> tuple[str, str]:
    """Return what makes two constants the same: 5 and 5.0 are, 1 and True are not."""
    if isinstance(value, int | float) and not isinstance(value, bool):
        return "number", repr(float(value)) if abs(value) < 2**53 else repr(value)
    return type(value).__name__, repr(value)


def _parse(text: str) -> ast.Module | None:
    try:
        return ast.parse(text)
    except (SyntaxError, ValueError, RecursionError):
        return None
