"""Hollow out the functions that a patch changes: each returns a fixed value before it does its work.

The text of the functions stays in the file, comments included, so that a test that only reads the file notices nothing.
"""

import ast

from whet.phases.validate.integrity.test_ids import changed_functions
from whet.pyast.functions import Function

VALUES = ("None", "...")
"""A false and a true value for hollow functions to return. Each is the same at every call, so that it equals itself."""


def hollow_out(old: str, new: str, value: str) -> str | None:
    """Return `new` with every function that differs from `old` returning `value` at once; None if no function differs."""
    try:
        before, after = ast.parse(old), ast.parse(new)
    except (SyntaxError, ValueError, RecursionError):
        return None
    changed = changed_functions(before, after)
    if not changed:
        return None
    lines = new.splitlines(keepends=True)
    for node in sorted(changed, key=lambda node: node.lineno, reverse=True):
        first = _first_statement(node)
        if first is None:
            return _hollow_tree(after, changed, value)
        line = lines[first.lineno - 1]
        lines.insert(first.lineno - 1, f"{line[: len(line) - len(line.lstrip())]}return {value}\n")
    return "".join(lines)


def _first_statement(node: Function) -> ast.stmt | None:
    """Return the first statement that begins a line of its own; None if the body stands in the line of the `def`."""
    head = [*ast.walk(node.args), *([node.returns] if node.returns else [])]
    end = max([node.lineno, *(getattr(part, "end_lineno", 0) for part in head)])
    return node.body[0] if node.body[0].lineno > end else None


def _hollow_tree(tree: ast.Module, changed: list[Function], value: str) -> str:
    for node in changed:
        node.body = ast.parse(f"return {value}").body
    return ast.unparse(ast.fix_missing_locations(tree))
