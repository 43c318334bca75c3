"""Fix an off-by-one error: `range(n)` -> `range(n + 1)`, `x[i]` -> `x[i - 1]`."""

import ast
import re
from collections.abc import Iterator

from whet.phases.propose.repair.candidate import Edit, replace, say
from whet.phases.propose.repair.scope import Scope
from whet.phases.propose.repair.templates.template import Template

_COUNTS = ("len", "int", "ord", "max", "min", "sum", "round", "abs")


def add_one(node: ast.expr, scope: Scope) -> Iterator[Edit]:
    """Add 1 to an expression that is used as a count or an index, or subtract 1."""
    weight = _weight(node, scope)
    if weight == 0 or not isinstance(getattr(node, "ctx", ast.Load()), ast.Load):
        return
    start, end = scope.module.span(node)
    text = scope.module.as_operand(node) if not isinstance(node, ast.BinOp) else scope.module.text(node)
    for made in (f"{text} + 1", f"{text} - 1"):
        yield replace(start, end, made, say("Use {} instead of {}", made, text), weight)


def drop_one(node: ast.BinOp, scope: Scope) -> Iterator[Edit]:
    """Remove a `+ 1` or `- 1`, or replace one by the other."""
    if not isinstance(node.op, ast.Add | ast.Sub) or not _is_one(node.right):
        return
    start, end = scope.module.span(node)
    text, left = scope.module.text(node), scope.module.text(node.left)
    yield replace(start, end, left, say("Use {} instead of {}", left, text), 0.9)
    other = re.sub(r"[+-](\s*1)$", (r"-\1" if isinstance(node.op, ast.Add) else r"+\1"), text)
    yield replace(start, end, other, say("Use {} instead of {}", other, text), 0.6)


def _is_one(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value == 1 and not isinstance(node.value, bool)


def _weight(node: ast.expr, scope: Scope) -> float:
    """Return how likely the expression is a count or an index; 0 if other templates suit it better."""
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
        add_one,
    ),
    Template("off_by_one", 0.7, (ast.BinOp,), drop_one),
]
