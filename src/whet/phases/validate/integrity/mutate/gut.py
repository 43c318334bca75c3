"""Gut the functions that a patch changes: each raises at once instead of doing its work."""

import ast
import re
import secrets
from collections.abc import Iterable

from whet.phases.validate.integrity.test_ids import functions
from whet.pyast.functions import Function

_EXCEPTION_NAME = re.compile(r"Gutted[0-9a-f]{8}")


def gut_changed_functions(old: str, new: str) -> str | None:
    """Return `new` with every function that differs from `old` raising at once; None if no function differs.

    Constants get their old value back, because a fix may consist of one. Everything else that the patch does stays.
    """
    try:
        before, after = ast.parse(old), ast.parse(new)
    except (SyntaxError, ValueError, RecursionError):
        return None
    old_functions = {name: ast.dump(node) for name, node in functions(before)}
    changed = [node for name, node in functions(after) if old_functions.get(name) != ast.dump(node)]
    if not changed:
        return None
    for node in changed:
        _gut(node)
    _restore_constants(before, after)
    return ast.unparse(ast.fix_missing_locations(after))


def ended_by_gutting(problem: str, sources: Iterable[str]) -> bool:
    """True if a run broke off because of an exception that one of these gutted `sources` raises."""
    names = _EXCEPTION_NAME.findall(problem)
    return any(name in source for source in sources for name in names)


def _gut(node: Function) -> None:
    """Replace the body by a raise.

    The exception has a random name and derives from BaseException, so no test expects or catches it. The docstring stays,
    because its doctests must still be collected in order to fail.
    """
    name = f"Gutted{secrets.token_hex(4)}"
    docstring = [] if ast.get_docstring(node, clean=False) is None else node.body[:1]
    node.body = [*docstring, *ast.parse(f"raise type({name!r}, (BaseException,), {{}})()").body]


def _restore_constants(before: ast.Module | ast.ClassDef, after: ast.Module | ast.ClassDef) -> None:
    old_constants = {ast.dump(node.targets[0]): node for node in before.body if _is_constant(node)}  # type: ignore[attr-defined]
    old_classes = {node.name: node for node in reversed(before.body) if isinstance(node, ast.ClassDef)}
    for index, node in enumerate(after.body):
        if _is_constant(node) and (old := old_constants.get(ast.dump(node.targets[0]))):  # type: ignore[attr-defined]
            after.body[index] = old
        elif isinstance(node, ast.ClassDef) and node.name in old_classes:
            _restore_constants(old_classes[node.name], node)


def _is_constant(node: ast.stmt) -> bool:
    """True if the statement binds one name to a value that is not computed by a call."""
    if not (isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Name)):
        return False
    return not any(isinstance(inner, ast.Call | ast.Await | ast.Yield) for inner in ast.walk(node.value))
