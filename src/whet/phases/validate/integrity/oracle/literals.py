"""Literal values of a test, and the names that hold them."""

import ast
from collections.abc import Mapping, Sequence

from whet.phases.validate.integrity.oracle.names import modified_names

UNKNOWN = object()


def literal_value(node: ast.expr) -> object:
    """Return the value of a literal, UNKNOWN for any other expression."""
    try:
        return ast.literal_eval(node)
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
        return UNKNOWN


def expected_value(node: ast.expr, constants: Mapping[str, ast.expr]) -> tuple[object, bool]:
    """Return the value that a test expects, or UNKNOWN, and whether it is approximate."""
    if isinstance(node, ast.Name) and node.id in constants:
        node = constants[node.id]
    if isinstance(node, ast.Call) and ast.unparse(node.func).endswith("approx") and node.args and not node.keywords:
        return expected_value(node.args[0], constants)[0], True
    return literal_value(node), False


def constants_of(body: Sequence[ast.stmt]) -> dict[str, ast.expr]:
    """Return the names that hold one literal throughout the body: bound once and never modified."""
    names = [
        node.id
        for statement in body
        for node in ast.walk(statement)
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
    ]
    modified = modified_names(body)
    constants: dict[str, ast.expr] = {}
    for statement in body:
        match statement:
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                if names.count(name) == 1 and name not in modified and expected_value(value, {})[0] is not UNKNOWN:
                    constants[name] = value
    return constants


def is_docstring(node: ast.stmt) -> bool:
    """True if the statement is a bare constant, such as a docstring or an ellipsis."""
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
