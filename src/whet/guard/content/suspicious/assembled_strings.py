"""Strings assembled from pieces, so that a search for the word does not find it."""

import ast
import re
from collections.abc import Callable, Iterator, Mapping

from whet.guard.content.suspicious.flag import Flag
from whet.guard.content.suspicious.vocabulary import ARITHMETIC, ENCODED, REVEALING_TEXT, UNSPELLED
from whet.pyast.fold import possible_texts
from whet.pyast.imports import last_name
from whet.pyast.resolve import NameResolver

_TEXT_METHODS = frozenset({
    "format", "join", "replace", "translate", "decode", "upper", "lower", "swapcase", "removeprefix", "removesuffix",
    "strip", "lstrip", "rstrip",
})  # fmt: skip
# `__name__` and `user__name` are ordinary; two underscores anywhere else are half of a dunder name.
_ORDINARY_UNDERSCORES = re.compile(
    r"(?<![A-Za-z0-9])__[a-z]+(_[a-z]+)*__(?![A-Za-z0-9])|(?<=[A-Za-z0-9])__(?=[A-Za-z0-9])"
)
Assigned = Mapping[str, list[ast.expr]]


def assembly_flags(node: ast.AST, assigned: Assigned) -> Iterator[Flag]:
    """Flag operations on literals that make another text; `assigned` are the values of the file's names."""
    match node:
        case ast.BinOp(op=ast.Add(), left=ast.Constant(value=str() as left), right=ast.Constant(value=str() as right)):
            if " " not in left + right:
                yield _assembled(node)
        case ast.BinOp(op=ast.Mod(), left=ast.Constant(value=str() | bytes()), right=right) if _is_written(right):
            yield _assembled(node)
        case ast.Subscript(value=ast.Constant(value=str() | bytes()), slice=ast.Slice()):
            yield _assembled(node)
        case ast.Call(func=ast.Attribute(value=ast.Constant(value=str() | bytes()), attr=method), args=args):
            arguments = [*args, *(keyword.value for keyword in node.keywords)]
            if method in _TEXT_METHODS and all(map(_is_written, arguments)):
                yield _assembled(node)
        case ast.Call(func=ast.Attribute(value=template, attr="format" | "format_map")) if _is_computed(
            template, assigned
        ):
            # A format string can read attributes: "{0.__class__}".
            yield Flag(node.lineno, UNSPELLED, "format", only_if_new=True)
        case ast.Call(func=ast.Name(id="ord"), args=[ast.Subscript(value=text)]) if _is_literal_text(text, assigned):
            yield Flag(node.lineno, ENCODED, "ord")
        case ast.Call(func=ast.Name(id="chr"), args=[ast.Constant()]):
            yield _assembled(node)
        case ast.Constant(value=str() as text) if text.strip("_") and "__" in _ORDINARY_UNDERSCORES.sub("", text):
            yield Flag(node.lineno, "has a part of a dunder name: {name}", text[:40])


def revealing_text_flags(node: ast.AST, names: NameResolver) -> Iterator[Flag]:
    """Flag expressions whose text would be flagged if it were written out, however it is assembled."""
    if isinstance(node, ast.JoinedStr | ast.BinOp | ast.Call | ast.Subscript):
        for text in possible_texts(node, names.values):
            if text in ("__", "__module__") or text in ARITHMETIC or REVEALING_TEXT.search(text):
                yield _assembled(node)


def may_become(key: ast.expr, is_prefix: Callable[[str], bool]) -> bool:
    """True if the computed text `key` may become a dangerous name; `is_prefix(text)`: one begins with the text."""
    match key:
        case (
            ast.JoinedStr(values=[ast.Constant(value=str() as start), *_])
            | ast.BinOp(op=ast.Add() | ast.Mod(), left=ast.Constant(value=str() as start))
        ):
            start = start.partition("%")[0]
            return len(start) < 2 or start.startswith("_") or is_prefix(start)
    return not isinstance(key, ast.Name | ast.Attribute | ast.Subscript | ast.Constant)


def _assembled(node: ast.expr) -> Flag:
    return Flag(node.lineno, "assembles a text from pieces: {name}", ast.unparse(node)[:40])


def _is_written(node: ast.expr) -> bool:
    """True for constants and for tuples and lists of constants."""
    if isinstance(node, ast.Tuple | ast.List):
        return bool(node.elts) and all(map(_is_written, node.elts))
    return isinstance(node, ast.Constant)


def _is_computed(node: ast.expr, assigned: Assigned) -> bool:
    """True if a text is neither a literal nor passed in by the caller."""
    if isinstance(node, ast.Name | ast.Attribute):
        return any(_is_computed(value, {}) for value in assigned.get(last_name(node), []))
    return isinstance(node, ast.BinOp | ast.Call | ast.JoinedStr | ast.Subscript | ast.IfExp | ast.BoolOp)


def _is_literal_text(node: ast.expr, assigned: Assigned) -> bool:
    values = assigned.get(last_name(node), []) if isinstance(node, ast.Name | ast.Attribute) else [node]
    return any(isinstance(value, ast.Constant) and isinstance(value.value, str | bytes) for value in values)
