"""Gut the functions that a patch changes: each raises at once instead of doing its work."""

import ast
import re
import secrets
from collections.abc import Iterable

from whet.phases.validate.integrity.test_ids import changed_functions
from whet.pyast.functions import Function

_EXCEPTION_NAME = re.compile(r"Gutted[0-9a-f]{8}")


def gut_changed_functions(old: str, new: str) -> str | None:
    """Return `new` with every function that differs from `old` raising at once; None if no function differs.

    Constants and fields of dataclasses get their old value back, because a fix may consist of one. Everything else that
    the patch does stays.
    """
    try:
        before, after = ast.parse(old), ast.parse(new)
    except (SyntaxError, ValueError, RecursionError):
        return None
    changed = changed_functions(before, after)
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
    old_values = {name: node for node in before.body if (name := _bound_name(node))}
    old_classes = {node.name: node for node in reversed(before.body) if isinstance(node, ast.ClassDef)}
    for index, node in enumerate(after.body):
        name = _bound_name(node)
        if name in old_values:
            after.body[index] = old_values[name]
        elif isinstance(node, ast.ClassDef) and node.name in old_classes:
            old = old_classes[node.name]
            if all(map(_is_dataclass, [*node.decorator_list, *old.decorator_list])):
                node.decorator_list = old.decorator_list
            _restore_constants(old, node)


def _bound_name(node: ast.stmt) -> str:
    """Return the name that the statement binds to a constant or to a field of a dataclass; else empty."""
    match node:
        case ast.Assign(targets=[ast.Name(id=name)], value=value) if _is_constant(value):
            return name
        case ast.AnnAssign(target=ast.Name(id=name), value=value) if value is None or _is_constant(_arguments(value)):
            return name
        case _:
            return ""


def _arguments(value: ast.expr) -> ast.expr:
    """Return the arguments of `field(...)`, because the call only describes a field; every other value as it is."""
    match value:
        case ast.Call(func=ast.Name(id="field") | ast.Attribute(value=ast.Name(id="dataclasses"), attr="field")):
            return ast.Tuple([*value.args, *(keyword.value for keyword in value.keywords)], ast.Load())
        case _:
            return value


def _is_constant(value: ast.expr) -> bool:
    """True if no call computes the value."""
    return not any(isinstance(inner, ast.Call | ast.Await | ast.Yield) for inner in ast.walk(value))


def _is_dataclass(decorator: ast.expr) -> bool:
    function = decorator.func if isinstance(decorator, ast.Call) else decorator
    return ast.unparse(function) in ("dataclass", "dataclasses.dataclass", "functools.total_ordering", "total_ordering")
