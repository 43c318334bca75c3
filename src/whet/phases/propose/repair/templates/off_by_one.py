"""One too many or too few: `range(n)` for `range(n + 1)`, `x[i]` for `x[i - 1]`."""

import ast
import re
from collections.abc import Iterator

from whet.phases.propose.repair.candidate import Edit, replace
from whet.phases.propose.repair.module import Scope
from whet.phases.propose.repair.templates.template import Template

_COUNTS = ("len", "int", "ord", "max", "min", "sum", "round", "abs")


def off_by_one(node: ast.expr, scope: Scope) -> Iterator[Edit]:
    weight = _weight(node, scope)
    if weight == 0 or not isinstance(getattr(node, "ctx", ast.Load()), ast.Load):
        return
    start, end = scope.module.span(node)
    text = scope.module.closed(node) if not isinstance(node, ast.BinOp) else scope.module.text(node)
    yield replace(start, end, f"{text} + 1", f"one more than `{text}`", weight)
    yield replace(start, end, f"{text} - 1", f"one less than `{text}`", weight)


def drop_one(node: ast.BinOp, scope: Scope) -> Iterator[Edit]:
    if not isinstance(node.op, ast.Add | ast.Sub) or not _is_one(node.right):
        return
    start, end = scope.module.span(node)
    left = scope.module.text(node.left)
    yield replace(start, end, left, f"just `{left}`", 0.9)
    text = scope.module.text(node)
    other = re.sub(r"[+-](\s*1)$", (r"-\1" if isinstance(node.op, ast.Add) else r"+\1"), text)
    yield replace(start, end, other, f"`{text}` becomes `{other}`", 0.6)


def _is_one(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value == 1 and not isinstance(node.value, bool)


def _weight(node: ast.expr, scope: Scope) -> float:
    """How much a count is expected here; 0 for what cannot be one or is better changed otherwise."""
    if isinstance(node, ast.BinOp) and _is_one(node.right):
        return 0.0
    parent = scope.module.parents.get(node)
    if isinstance(parent, ast.BinOp) and _is_one(parent.right):
        return 0.0
    if isinstance(node, ast.Call) and not (isinstance(node.func, ast.Name) and node.func.id in _COUNTS):
        return 0.15 if isinstance(parent, ast.Return) else 0.0
    if isinstance(parent, ast.Call) and isinstance(parent.func, ast.Name) and node in parent.args:
        return {"range": 1.0}.get(parent.func.id, 0.3 if parent.func.id not in _COUNTS else 0.0)
    if isinstance(parent, ast.Slice) or (isinstance(parent, ast.Subscript) and node is parent.slice):
        return 0.9
    if isinstance(parent, ast.Compare):
        ordered = all(isinstance(operator, ast.Lt | ast.LtE | ast.Gt | ast.GtE | ast.Eq) for operator in parent.ops)
        return 0.4 if ordered else 0.0
    if isinstance(parent, ast.Return):
        return 0.6
    if isinstance(parent, ast.BinOp | ast.Assign | ast.AugAssign | ast.keyword):
        return 0.35
    return 0.0


TEMPLATES = [
    Template(
        "off_by_one",
        0.7,
        (ast.Name, ast.Attribute, ast.Call, ast.BinOp, ast.Subscript, ast.UnaryOp),
        off_by_one,
    ),
    Template("off_by_one", 0.7, (ast.BinOp,), drop_one),
]
