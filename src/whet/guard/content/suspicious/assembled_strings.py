"""Words and numbers that are put together or taken apart on the spot, so that nobody finds them by looking."""

import ast
import re
from collections.abc import Callable, Iterator, Mapping

from whet.guard.content.suspicious.constant_text import texts
from whet.guard.content.suspicious.flag import Flag
from whet.guard.content.suspicious.name_resolution import Names
from whet.guard.content.suspicious.vocabulary import ARITHMETIC, TELLING_TEXT

_TURNED = frozenset({
    "format", "join", "replace", "translate", "decode", "upper", "lower", "swapcase", "removeprefix", "removesuffix",
    "strip", "lstrip", "rstrip",
})  # fmt: skip
_WHOLE = re.compile(r"(?<![A-Za-z0-9])__[a-z]+(_[a-z]+)*__(?![A-Za-z0-9])|(?<=[A-Za-z0-9])__(?=[A-Za-z0-9])")
Bound = Mapping[str, list[ast.expr]]


def put_together(node: ast.AST, bound: Bound) -> Iterator[Flag]:
    """`bound` says what the file gives each of its names."""
    match node:
        case ast.BinOp(op=ast.Add(), left=ast.Constant(value=str() as left), right=ast.Constant(value=str() as right)):
            if " " not in left + right:
                yield _word(node)
        case ast.BinOp(op=ast.Mod(), left=ast.Constant(value=str() | bytes()), right=right) if _written(right):
            yield _word(node)
        case ast.Subscript(value=ast.Constant(value=str() | bytes()), slice=ast.Slice()):
            yield _word(node)
        case ast.Call(func=ast.Attribute(value=ast.Constant(value=str() | bytes()), attr=name), args=args):
            if name in _TURNED and all(map(_written, [*args, *(word.value for word in node.keywords)])):
                yield _word(node)
        case ast.Call(func=ast.Attribute(value=template, attr="format" | "format_map")) if _computed(template, bound):
            yield Flag(node.lineno, "reaches for a name that is not written down", "format", only_if_new=True)
        case ast.Call(func=ast.Name(id="ord"), args=[ast.Subscript(value=kept)]) if _text(kept, bound):
            yield Flag(node.lineno, "hides what it does", "ord")
        case ast.Call(func=ast.Name(id="chr"), args=[ast.Constant()]):
            yield _word(node)
        case ast.Constant(value=str() as text) if text.strip("_") and "__" in _WHOLE.sub("", text):
            yield Flag(node.lineno, "has half a name", text[:40])


def by_parts(node: ast.AST, names: Names) -> Iterator[Flag]:
    """A text that is written nowhere and becomes a name that wants a reader, whatever its parts are called."""
    if isinstance(node, ast.JoinedStr | ast.BinOp | ast.Call | ast.Subscript):
        for text in texts(node, names.values):
            if text == "__" or TELLING_TEXT.search(text) or text in ARITHMETIC | {"__module__"}:
                yield _word(node)


def named_by_text(key: ast.expr, reached: Callable[[str], bool]) -> bool:
    """Whether a name is put together in such a way that it may become one of those that `reached` knows."""
    match key:
        case (
            ast.JoinedStr(values=[ast.Constant(value=str() as start), *_])
            | ast.BinOp(op=ast.Add() | ast.Mod(), left=ast.Constant(value=str() as start))
        ):
            start = start.partition("%")[0]
            return len(start) < 2 or start.startswith("_") or reached(start)
    return not isinstance(key, ast.Name | ast.Attribute | ast.Subscript | ast.Constant)


def bound_in(tree: ast.Module) -> Bound:
    """What each name or attribute is given anywhere in the file."""
    found: dict[str, list[ast.expr]] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign | ast.AnnAssign | ast.NamedExpr) and node.value is not None:
            for target in node.targets if isinstance(node, ast.Assign) else [node.target]:
                found.setdefault(_last(target), []).append(node.value)
    return found


def _word(node: ast.expr) -> Flag:
    return Flag(node.lineno, "puts a word together", ast.unparse(node)[:40])


def _written(node: ast.expr) -> bool:
    if isinstance(node, ast.Tuple | ast.List):
        return bool(node.elts) and all(map(_written, node.elts))
    return isinstance(node, ast.Constant)


def _computed(node: ast.expr, bound: Bound) -> bool:
    """A text that is neither written down nor given from outside."""
    if isinstance(node, ast.Name | ast.Attribute):
        return any(_computed(value, {}) for value in bound.get(_last(node), []))
    return isinstance(node, ast.BinOp | ast.Call | ast.JoinedStr | ast.Subscript | ast.IfExp | ast.BoolOp)


def _text(node: ast.expr, bound: Bound) -> bool:
    values = bound.get(_last(node), []) if isinstance(node, ast.Name | ast.Attribute) else [node]
    return any(isinstance(value, ast.Constant) and isinstance(value.value, str | bytes) for value in values)


def _last(node: ast.expr) -> str:
    return node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else ""
