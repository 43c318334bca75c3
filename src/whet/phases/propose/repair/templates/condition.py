"""A condition that says the opposite, too much or too little."""

import ast
from collections.abc import Iterator
from itertools import pairwise

from whet.phases.propose.repair.candidate import Change, Edit, replace
from whet.phases.propose.repair.module import Scope
from whet.phases.propose.repair.templates.template import Template


def negated(node: ast.AST, scope: Scope) -> Iterator[Edit]:
    """A test gains a `not`; comparisons are left to the operator templates, which say it more plainly."""
    for test in _tests(node):
        if isinstance(test, ast.UnaryOp) or (isinstance(test, ast.Compare) and len(test.ops) == 1):
            continue
        start, end = scope.module.span(test)
        text = scope.module.text(test)
        closed = f"not ({text})" if isinstance(test, ast.BoolOp | ast.IfExp | ast.NamedExpr) else f"not {text}"
        yield replace(start, end, closed, f"`{text}` is negated", 0.8)


def without_not(node: ast.UnaryOp, scope: Scope) -> Iterator[Edit]:
    start, end = scope.module.span(node)
    inner = scope.module.text(node.operand)
    if isinstance(node.op, ast.Not | ast.USub | ast.Invert):
        sign = {ast.Not: "not", ast.USub: "-", ast.Invert: "~"}[type(node.op)]
        yield replace(start, end, inner, f"no `{sign}` before `{inner}`", 1.0)


def with_minus(node: ast.expr, scope: Scope) -> Iterator[Edit]:
    parent = scope.module.parents.get(node)
    if isinstance(parent, ast.Return | ast.keyword | ast.Lambda | ast.Assign) and not (
        isinstance(node, ast.Constant) and not isinstance(node.value, int | float)
    ):
        start, end = scope.module.span(node)
        yield replace(start, end, f"-{scope.module.closed(node)}", f"`{scope.module.text(node)}` is negated", 0.4)


def less(node: ast.BoolOp, scope: Scope) -> Iterator[Edit]:
    """One operand of `and`/`or` too many."""
    if len(node.values) == 2:
        start, end = scope.module.span(node)
        for kept in reversed(node.values):
            text = scope.module.text(kept)
            yield replace(start, end, text, f"only `{text}` counts", 0.5)
        return
    first, second = (scope.module.span(value)[0] for value in node.values[:2])
    yield replace(first, second, "", f"`{scope.module.text(node.values[0])}` no longer counts", 0.5)
    for before, value in pairwise(node.values):
        start, end = scope.module.span(before)[1], scope.module.span(value)[1]
        yield replace(start, end, "", f"`{scope.module.text(value)}` no longer counts", 0.5)


def regrouped(node: ast.AST, scope: Scope) -> Iterator[Edit]:
    """`a or b and c` meant as `(a or b) and c`, `a + b * c` as `(a + b) * c`."""
    if isinstance(node, ast.BoolOp) and isinstance(node.op, ast.Or) and isinstance(node.values[-1], ast.BoolOp):
        first, inner = node.values[0], node.values[-1].values[0]
    elif isinstance(node, ast.BinOp) and isinstance(node.right, ast.BinOp):
        first, inner = node.left, node.right.left
    elif isinstance(node, ast.BinOp) and isinstance(node.left, ast.BinOp):
        yield from _bracketed(node.left.right, node.right, scope)
        return
    else:
        return
    yield from _bracketed(first, inner, scope)


def _bracketed(first: ast.expr, last: ast.expr, scope: Scope) -> Iterator[Edit]:
    start, end = scope.module.span(first)[0], scope.module.span(last)[1]
    text = scope.module.source[start:end]
    changes = (Change(start, start, "("), Change(end, end, ")"))
    if text.count("(") == text.count(")"):
        yield Edit(changes, f"`{text}` is taken together", 0.6)


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
    Template("negation", 0.75, (ast.If, ast.While, ast.IfExp, ast.comprehension, ast.BoolOp), negated),
    Template("negation", 0.25, (ast.Return,), negated),
    Template("negation", 0.8, (ast.UnaryOp,), without_not),
    Template("sign", 0.4, (ast.Name, ast.Attribute, ast.Call, ast.BinOp, ast.Constant, ast.Subscript), with_minus),
    Template("condition", 0.6, (ast.BoolOp,), less),
    Template("grouping", 0.5, (ast.BoolOp, ast.BinOp), regrouped),
]
