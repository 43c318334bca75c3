"""A test that passes because it never got to its assertions: over what yields nothing, a loop asserts nothing."""

import ast
from collections.abc import Collection, Iterator, Mapping

from whet.phases.validate.integrity.test_ids import Function

_LOOPS = (ast.For, ast.AsyncFor, ast.While)
_ASKING = ("assert", "raises", "warns", "deprecated_call")


def unreached(test: Function, ran: Collection[int], helping: Mapping[str, Function] | None = None) -> str:
    """What a test that ran these lines did not ask, in words; empty where it asked what it could.

    `helping` are functions of its file by name: where it calls one whose assertions are in a loop, they count as its own.
    """
    asked = [node for node in ast.walk(test) if _asks(node)]
    if asked and not any(_lines(node) & set(ran) for node in asked):
        return "none of its assertions"
    for function in [test, *_called(test, helping or {})]:
        for loop in _plain_loops(function.body):
            if loop.lineno in ran and _asks_nothing(loop, ran):
                whose = "its loop" if function is test else f"the loop of {function.name}"
                return f"not the assertions of {whose} in line {loop.lineno}"
    return ""


def helpers(tree: ast.Module) -> dict[str, Function]:
    """The functions of a file and of its classes that are no tests, by their last name."""
    found = {node.name: node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)}
    return {name: node for name, node in found.items() if not name.startswith("test")}


def _asks_nothing(loop: ast.For | ast.AsyncFor | ast.While, ran: Collection[int]) -> bool:
    """It has assertions, and ran neither one of them nor its first statement."""
    inside = [node for statement in loop.body for node in ast.walk(statement) if _asks(node)]
    return bool(inside) and not any(_lines(node) & set(ran) for node in [*inside, loop.body[0]])


def _called(test: Function, helping: Mapping[str, Function]) -> Iterator[Function]:
    names = {_name(node) for node in ast.walk(test) if isinstance(node, ast.Call)}
    return (node for name, node in helping.items() if name in names)


def _plain_loops(body: list[ast.stmt]) -> Iterator[ast.For | ast.AsyncFor | ast.While]:
    """Loops that every run of the test comes to: not those under a condition."""
    for statement in body:
        if isinstance(statement, _LOOPS):
            yield statement
        elif isinstance(statement, ast.With | ast.AsyncWith):
            yield from _plain_loops(statement.body)


def _asks(node: ast.AST) -> bool:
    """Whether something is asked; to be told that it failed (`pytest.fail`, `assert False`) is what a test avoids."""
    if isinstance(node, ast.Assert):
        return not (isinstance(node.test, ast.Constant) and not node.test.value)
    return isinstance(node, ast.Call) and _name(node).startswith(_ASKING)


def _name(node: ast.Call) -> str:
    return node.func.attr if isinstance(node.func, ast.Attribute) else str(getattr(node.func, "id", ""))


def _lines(node: ast.AST) -> set[int]:
    first = getattr(node, "lineno", 0)
    return set(range(first, (getattr(node, "end_lineno", first) or first) + 1))
