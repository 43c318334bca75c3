"""An annotation may be run as code (`functools.singledispatch`, `typing`): one that does more than name a type."""

import ast
from collections.abc import Iterator

from whet.guard.content.suspicious.assembled_strings import Bound
from whet.guard.content.suspicious.flag import Flag

_KINDS = frozenset(
    {"TypeVar", "ParamSpec", "NewType", "TypeVarTuple", "namedtuple", "NamedTuple", "TypedDict", "Annotated"}
)


def annotations(node: ast.AST, bound: Bound) -> Iterator[Flag]:
    match node:
        case ast.arg(annotation=ast.expr() as said) | ast.AnnAssign(annotation=said):
            if _runs(said, bound):
                yield Flag(said.lineno, "has an annotation that is computed", ast.unparse(said)[:40])


def _runs(said: ast.expr, bound: Bound) -> bool:
    for inner in ast.walk(said):
        if isinstance(inner, ast.BinOp) and not isinstance(inner.op, ast.BitOr):
            return True
        if isinstance(inner, ast.JoinedStr | ast.IfExp | ast.NamedExpr | ast.Lambda):
            return True
        if (
            isinstance(inner, ast.Constant)
            and isinstance(inner.value, str)
            and ("(" in inner.value or " if " in inner.value)
        ):
            return True
    return isinstance(said, ast.Name) and any(_text(value) for value in bound.get(said.id, []))


def _text(value: ast.expr) -> bool:
    """What a name that annotates is given, unless it is plainly a type."""
    if isinstance(value, ast.Call):
        return ast.unparse(value.func).rpartition(".")[2] not in _KINDS
    if isinstance(value, ast.BinOp):
        return not isinstance(value.op, ast.BitOr)
    return isinstance(value, ast.JoinedStr | ast.IfExp)
