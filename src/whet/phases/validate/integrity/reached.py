"""A test that passes because it never got to its assertions: over what yields nothing, a loop asserts nothing."""

import ast
from collections.abc import Collection, Iterator

from whet.phases.validate.integrity.names import Function

_LOOPS = (ast.For, ast.AsyncFor, ast.While)
_ASKING = ("assert", "fail", "raises", "warns", "deprecated_call")


def unreached(test: Function, ran: Collection[int]) -> str:
    """What a test that ran these lines did not ask, in words; empty where it asked what it could."""
    asked = [node for node in ast.walk(test) if _asks(node)]
    if asked and not any(_lines(node) & set(ran) for node in asked):
        return "none of its assertions"
    for loop in _plain_loops(test.body):
        inside = [node for statement in loop.body for node in ast.walk(statement) if _asks(node)]
        first = loop.body[0]
        if (
            inside
            and loop.lineno in ran
            and not any(_lines(node) & set(ran) for node in inside)
            and not _lines(first) & set(ran)
        ):
            return f"not the assertions of its loop in line {loop.lineno}"
    return ""


def _plain_loops(body: list[ast.stmt]) -> Iterator[ast.For | ast.AsyncFor | ast.While]:
    """Loops that every run of the test comes to: not those under a condition."""
    for statement in body:
        if isinstance(statement, _LOOPS):
            yield statement
        elif isinstance(statement, ast.With | ast.AsyncWith):
            yield from _plain_loops(statement.body)


def _asks(node: ast.AST) -> bool:
    if isinstance(node, ast.Assert):
        return True
    if not isinstance(node, ast.Call):
        return False
    name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
    return name.startswith(_ASKING)


def _lines(node: ast.AST) -> set[int]:
    first = getattr(node, "lineno", 0)
    return set(range(first, (getattr(node, "end_lineno", first) or first) + 1))
