"""Nothing there or nothing in it: `if x` for `if x is not None`, `a or b` that loses a 0."""

import ast
from collections.abc import Iterator

from whet.phases.propose.repair.candidate import Change, Edit, replace
from whet.phases.propose.repair.module import Scope
from whet.phases.propose.repair.templates.template import Template

_PLAIN = (ast.Name, ast.Attribute, ast.Subscript)


def told_apart(node: ast.AST, scope: Scope) -> Iterator[Edit]:
    """A truth value where only None was meant, and the other way round."""
    for test in _tests(node):
        start, end = scope.module.span(test)
        text = scope.module.text(test)
        if isinstance(test, _PLAIN):
            yield replace(start, end, f"{text} is not None", f"`{text}` may be empty or 0", 0.9)
        elif isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not) and isinstance(test.operand, _PLAIN):
            inner = scope.module.text(test.operand)
            yield replace(start, end, f"{inner} is None", f"`{inner}` may be empty or 0", 0.9)
        elif isinstance(test, ast.Compare) and isinstance(test.left, _PLAIN) and _with_none(test):
            inner = scope.module.text(test.left)
            truth = inner if isinstance(test.ops[0], ast.IsNot) else f"not {inner}"
            yield replace(start, end, truth, f"an empty `{inner}` is as good as none", 0.6)


def kept_value(node: ast.BoolOp, scope: Scope) -> Iterator[Edit]:
    """`a or b` as a value takes b for an empty a too."""
    if (change := _unless_none(node, scope)) is not None:
        yield Edit((change,), f"`{scope.module.text(node.values[0])}` counts unless it is None", 0.8)


def kept_values(statement: ast.stmt, scope: Scope) -> Iterator[Edit]:
    """The same, everywhere in the statement."""
    nodes = [node for node in ast.walk(statement) if isinstance(node, ast.BoolOp)]
    changes = tuple(change for node in nodes if (change := _unless_none(node, scope)) is not None)
    if len(changes) > 1:
        yield Edit(changes, "values count unless they are None", 0.7)


def _unless_none(node: ast.BoolOp, scope: Scope) -> Change | None:
    if not isinstance(node.op, ast.Or) or len(node.values) != 2 or not isinstance(node.values[0], _PLAIN):
        return None
    if isinstance(scope.module.parents.get(node), ast.If | ast.While | ast.BoolOp | ast.UnaryOp | ast.comprehension):
        return None
    first, second = (scope.module.text(value) for value in node.values)
    if scope.module.is_never_none(first.rpartition(".")[2]):
        return None
    return Change(*scope.module.span(node), f"{first} if {first} is not None else {second}")


def _tests(node: ast.AST) -> Iterator[ast.expr]:
    if isinstance(node, ast.If | ast.While | ast.IfExp):
        yield node.test
    elif isinstance(node, ast.BoolOp):
        yield from node.values
    elif isinstance(node, ast.comprehension):
        yield from node.ifs


def _with_none(test: ast.Compare) -> bool:
    right = test.comparators[0]
    return (
        len(test.ops) == 1
        and isinstance(test.ops[0], ast.Is | ast.IsNot)
        and isinstance(right, ast.Constant)
        and right.value is None
    )


TEMPLATES = [
    Template("presence", 0.55, (ast.If, ast.While, ast.IfExp, ast.BoolOp, ast.comprehension), told_apart),
    Template("presence", 0.5, (ast.BoolOp,), kept_value),
    Template("presence", 0.5, (ast.Return, ast.Assign, ast.Expr), kept_values),
]
