"""Tell None from other falsy values: `if x` -> `if x is not None`, `a or b` -> `a if a is not None else b`."""

import ast
from collections.abc import Iterator

from whet.phases.propose.repair.candidate import Edit, Replacement, replace, say
from whet.phases.propose.repair.scope import Scope
from whet.phases.propose.repair.templates.template import Template

_PLAIN = (ast.Name, ast.Attribute, ast.Subscript)


def compare_with_none(node: ast.AST, scope: Scope) -> Iterator[Edit]:
    """Replace a truth test by a comparison with None, and the other way round."""
    for test in _tests(node):
        start, end = scope.module.span(test)
        text = scope.module.text(test)
        if isinstance(test, _PLAIN):
            yield replace(start, end, f"{text} is not None", say("Compare {} with None", text), 0.9)
        elif isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not) and isinstance(test.operand, _PLAIN):
            inner = scope.module.text(test.operand)
            yield replace(start, end, f"{inner} is None", say("Compare {} with None", inner), 0.9)
        elif isinstance(test, ast.Compare) and isinstance(test.left, _PLAIN) and _with_none(test):
            inner = scope.module.text(test.left)
            truth = inner if isinstance(test.ops[0], ast.IsNot) else f"not {inner}"
            yield replace(start, end, truth, say("Treat an empty {} {here} like None", inner), 0.6)


def keep_falsy_value(node: ast.BoolOp, scope: Scope) -> Iterator[Edit]:
    """Use the second value only for None: `a or b` -> `a if a is not None else b`."""
    replacement = _unless_none(node, scope)
    if replacement is not None:
        yield Edit((replacement,), say("Keep {} {here} unless it is None", scope.module.text(node.values[0])), 0.8)


def keep_falsy_values(statement: ast.stmt, scope: Scope) -> Iterator[Edit]:
    """Do the same for every `or` of the statement."""
    nodes = [node for node in ast.walk(statement) if isinstance(node, ast.BoolOp)]
    made = [_unless_none(node, scope) for node in nodes]
    replacements = tuple(replacement for replacement in made if replacement is not None)
    if len(replacements) > 1:
        yield Edit(replacements, say("Keep values {here} unless they are None"), 0.7)


def _unless_none(node: ast.BoolOp, scope: Scope) -> Replacement | None:
    """Return the replacement of an `or` that is used as a value; None where its truth counts or None cannot occur."""
    if not isinstance(node.op, ast.Or) or len(node.values) != 2 or not isinstance(node.values[0], _PLAIN):
        return None
    if isinstance(scope.module.parents.get(node), ast.If | ast.While | ast.BoolOp | ast.UnaryOp | ast.comprehension):
        return None
    first, second = (scope.module.text(value) for value in node.values)
    if scope.module.never_defaults_to_none(first.rpartition(".")[2]):
        return None
    return Replacement(*scope.module.span(node), f"{first} if {first} is not None else {second}")


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
    Template("presence", 0.55, (ast.If, ast.While, ast.IfExp, ast.BoolOp, ast.comprehension), compare_with_none),
    Template("presence", 0.5, (ast.BoolOp,), keep_falsy_value),
    Template("presence", 0.5, (ast.Return, ast.Assign, ast.Expr), keep_falsy_values),
]
