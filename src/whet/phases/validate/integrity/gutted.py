"""The patch with its changed functions gutted: what makes the target pass must be in them."""

import ast
import re
import secrets
from collections.abc import Iterable

from whet.phases.validate.integrity.test_ids import Function, functions

_NAME = re.compile(r"Gutted[0-9a-f]{8}")


def gutted(old: str, new: str) -> str | None:
    """`new` with every function that differs from `old` raising at once; None where no function differs.

    Constants go back to what they were, since a fix may lie in one; all else that the patch does stays.
    """
    try:
        before, after = ast.parse(old), ast.parse(new)
    except (SyntaxError, ValueError, RecursionError):
        return None
    known = {name: ast.dump(node) for name, node in functions(before)}
    changed = [node for name, node in functions(after) if known.get(name) != ast.dump(node)]
    if not changed:
        return None
    for node in changed:
        _gut(node)
    _constants_back(before, after)
    return ast.unparse(ast.fix_missing_locations(after))


def ended_by(problem: str, sources: Iterable[str]) -> bool:
    """Whether a run came to nothing because of what these gutted `sources` raise, before any test could."""
    return any(name in source for name in _NAME.findall(problem) for source in sources)


def _gut(node: Function) -> None:
    """An exception that no test asks for. The text above it stays: its examples are tests, and have to be there to fail."""
    name = f"Gutted{secrets.token_hex(4)}"
    document = [] if ast.get_docstring(node, clean=False) is None else node.body[:1]
    node.body = [*document, *ast.parse(f"raise type({name!r}, (BaseException,), {{}})()").body]


def _constants_back(before: ast.Module | ast.ClassDef, after: ast.Module | ast.ClassDef) -> None:
    old = {ast.dump(node.targets[0]): node for node in before.body if _is_constant(node)}  # type: ignore[attr-defined]
    for number, node in enumerate(after.body):
        if _is_constant(node) and (found := old.get(ast.dump(node.targets[0]))):  # type: ignore[attr-defined]
            after.body[number] = found
        elif isinstance(node, ast.ClassDef):
            twin = next((one for one in before.body if isinstance(one, ast.ClassDef) and one.name == node.name), None)
            if twin:
                _constants_back(twin, node)


def _is_constant(node: ast.stmt) -> bool:
    if not (isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Name)):
        return False
    return not any(isinstance(inner, ast.Call | ast.Await | ast.Yield) for inner in ast.walk(node.value))
