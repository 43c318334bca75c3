"""Fix a condition that is inverted or has a part too many: `if a` -> `if not a`, `a and b` -> `a`."""

import ast
from collections.abc import Iterator
from itertools import pairwise

from whet.phases.propose.repair.candidate import Edit, Replacement, replace, say
from whet.phases.propose.repair.scope import Scope
from whet.phases.propose.repair.templates.template import Template


def negate(node: ast.AST, scope: Scope) -> Iterator[Edit]:
    """Add a `not` to a condition. Comparisons are left to the operator templates, which invert the operator."""
    for test in _tests(node):
        if isinstance(test, ast.UnaryOp) or (isinstance(test, ast.Compare) and len(test.ops) == 1):
            continue
        start, end = scope.module.span(test)
        text = scope.module.text(test)
        made = f"not ({text})" if isinstance(test, ast.BoolOp | ast.IfExp | ast.NamedExpr) else f"not {text}"
        yield replace(start, end, made, say("Negate {}", text), 0.8)


def drop_sign(node: ast.UnaryOp, scope: Scope) -> Iterator[Edit]:
    """Remove `not`, `-` or `~` before an operand."""
    start, end = scope.module.span(node)
    inner = scope.module.text(node.operand)
    if isinstance(node.op, ast.Not | ast.USub | ast.Invert):
        sign = {ast.Not: "not", ast.USub: "-", ast.Invert: "~"}[type(node.op)]
        yield replace(start, end, inner, say("Remove {} before {}", sign, inner), 1.0)


def add_minus(node: ast.expr, scope: Scope) -> Iterator[Edit]:
    parent = scope.module.parents.get(node)
    if isinstance(parent, ast.Return | ast.keyword | ast.Lambda | ast.Assign) and not (
        isinstance(node, ast.Constant) and not isinstance(node.value, int | float)
    ):
        start, end = scope.module.span(node)
        summary = say("Negate {}", scope.module.text(node))
        yield replace(start, end, f"-{scope.module.as_operand(node)}", summary, 0.4)


def drop_operand(node: ast.BoolOp, scope: Scope) -> Iterator[Edit]:
    """Remove one operand of `and` or `or`."""
    if len(node.values) == 2:
        start, end = scope.module.span(node)
        for kept, dropped in (node.values[::-1], node.values):
            summary = say("Remove the condition {}", scope.module.text(dropped))
            yield replace(start, end, scope.module.text(kept), summary, 0.5)
        return
    first, second = (scope.module.span(value)[0] for value in node.values[:2])
    yield replace(first, second, "", say("Remove the condition {}", scope.module.text(node.values[0])), 0.5)
    for before, value in pairwise(node.values):
        start, end = scope.module.span(before)[1], scope.module.span(value)[1]
        yield replace(start, end, "", say("Remove the condition {}", scope.module.text(value)), 0.5)


def regroup(node: ast.AST, scope: Scope) -> Iterator[Edit]:
    """Add parentheses against operator precedence: `a or b and c` -> `(a or b) and c`."""
    if isinstance(node, ast.BoolOp) and isinstance(node.op, ast.Or) and isinstance(node.values[-1], ast.BoolOp):
        first, inner = node.values[0], node.values[-1].values[0]
    elif isinstance(node, ast.BinOp) and isinstance(node.right, ast.BinOp):
        first, inner = node.left, node.right.left
    elif isinstance(node, ast.BinOp) and isinstance(node.left, ast.BinOp):
        yield from _parenthesise(node.left.right, node.right, scope)
        return
    else:
        return
    yield from _parenthesise(first, inner, scope)


def _parenthesise(first: ast.expr, last: ast.expr, scope: Scope) -> Iterator[Edit]:
    start, end = scope.module.span(first)[0], scope.module.span(last)[1]
    text = scope.module.source[start:end]
    replacements = (Replacement(start, start, "("), Replacement(end, end, ")"))
    if text.count("(") == text.count(")"):
        yield Edit(replacements, say("Evaluate {} first", text), 0.6)


def _tests(node: ast.AST) -> Iterator[ast.expr]:
    if isinstance(node, ast.If | ast.While | ast.IfExp):
        yield node.test
    elif isinstance(node, ast.comprehension):
        yield from node.ifs
    elif isinstance(node, ast.BoolOp):
        yield from node.values
    elif isinstance(node, ast.Return) and isinstance(node.value, ast.Call | ast.BoolOp | ast.Name | ast.Compare):
        yield node.value


TEMPLATES = [
    Template("negation", 0.75, (ast.If, ast.While, ast.IfExp, ast.comprehension, ast.BoolOp), negate),
    Template("negation", 0.25, (ast.Return,), negate),
    Template("negation", 0.8, (ast.UnaryOp,), drop_sign),
    Template("sign", 0.4, (ast.Name, ast.Attribute, ast.Call, ast.BinOp, ast.Constant, ast.Subscript), add_minus),
    Template("condition", 0.6, (ast.BoolOp,), drop_operand),
    Template("grouping", 0.5, (ast.BoolOp, ast.BinOp), regroup),
]
