"""Annotations that do more than name a type: `functools.singledispatch` and `typing` may evaluate them as code."""

import ast
from collections.abc import Iterator, Mapping

from whet.guard.content.suspicious.flag import Flag

_TYPE_FACTORIES = frozenset({
    "TypeVar", "ParamSpec", "NewType", "TypeVarTuple", "namedtuple", "NamedTuple", "TypedDict", "Annotated",
})  # fmt: skip


def annotation_flags(node: ast.AST, assigned: Mapping[str, list[ast.expr]]) -> Iterator[Flag]:
    """Flag computed annotations of parameters and variables; `assigned` are the values of the file's names."""
    match node:
        case ast.arg(annotation=ast.expr() as annotation) | ast.AnnAssign(annotation=annotation):
            if _is_computed(annotation, assigned):
                yield Flag(annotation.lineno, "has a computed annotation: {name}", ast.unparse(annotation)[:40])


def _is_computed(annotation: ast.expr, assigned: Mapping[str, list[ast.expr]]) -> bool:
    for node in ast.walk(annotation):
        match node:
            case ast.BinOp(op=op) if not isinstance(op, ast.BitOr):
                return True
            case ast.JoinedStr() | ast.IfExp() | ast.NamedExpr() | ast.Lambda():
                return True
            case ast.Constant(value=str() as text) if "(" in text or " if " in text:
                return True
    return isinstance(annotation, ast.Name) and any(map(_is_no_type, assigned.get(annotation.id, [])))


def _is_no_type(value: ast.expr) -> bool:
    """True if a value that is used as an annotation is computed and not plainly a type."""
    if isinstance(value, ast.Call):
        return ast.unparse(value.func).rpartition(".")[2] not in _TYPE_FACTORIES
    if isinstance(value, ast.BinOp):
        return not isinstance(value.op, ast.BitOr)
    return isinstance(value, ast.JoinedStr | ast.IfExp)
