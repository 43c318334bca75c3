"""Comparisons without the steps that both of their sides make: `a.lower() == b.lower()` as `a == b`."""

import ast
from collections.abc import Iterator
from typing import Any

_NO_VALUES = ast.Slice | ast.Starred


def without_common_steps(comparison: ast.Compare) -> Iterator[str]:
    """Yield versions of a comparison, each without one more of the steps that both sides share, such as `[0]` or `.lower()`."""
    pairs = {(ast.unparse(comparison.left), ast.unparse(comparison.comparators[0]))}
    while (inner := {pair for one, other in pairs for pair in _differing(one, other)}) != pairs:
        pairs = inner
        if len(pairs) == 1:
            [(one, other)] = pairs
            yield ast.unparse(ast.Compare(_expression(one), comparison.ops, [_expression(other)]))


def _differing(one: str, other: str) -> Iterator[tuple[str, str]]:
    """Yield the parts in which two expressions of the same kind differ; the expressions themselves if they are of two kinds."""
    left, right = _expression(one), _expression(other)
    parts = [(_parts_of(left, name), _parts_of(right, name)) for name in left._fields]
    fits = type(left) is type(right) and not isinstance(left, ast.Name | ast.Constant | ast.JoinedStr)
    if fits and all(len(ones) == len(others) for ones, others in parts):
        pairs = [
            pair
            for ones, others in parts
            for pair in zip(ones, others, strict=True)
            if _text(pair[0]) != _text(pair[1])
        ]
        if all(isinstance(part, ast.expr) and not isinstance(part, _NO_VALUES) for pair in pairs for part in pair):
            yield from ((ast.unparse(first), ast.unparse(second)) for first, second in pairs)
            return
    yield one, other


def _parts_of(node: ast.expr, name: str) -> list[Any]:
    """Return a field of a node as a list; for a call of a method, the object and the name of the method."""
    value = getattr(node, name, None)
    if isinstance(node, ast.Call) and isinstance(value, ast.Attribute):
        return [value.value, value.attr]
    return value if isinstance(value, list) else [value]


def _text(part: object) -> str:
    return ast.dump(part) if isinstance(part, ast.AST) else repr(part)


def _expression(text: str) -> ast.expr:
    return ast.parse(text, mode="eval").body
