"""The names that a statement binds, reads, needs or modifies."""

import ast
from collections.abc import Sequence

from whet.phases.validate.integrity.test_ids import Function


def bound_names(node: ast.stmt) -> set[str]:
    """Return the names that a statement binds; of a function or a class only its own name."""
    if isinstance(node, Function | ast.ClassDef):
        return {node.name}
    names: set[str] = set()
    for inner in ast.walk(node):
        match inner:
            case ast.Name(id=name, ctx=ast.Store()) | ast.arg(arg=name):
                names.add(name)
            case ast.ExceptHandler(name=str(name)) | ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                names.add(name)
            case ast.ClassDef(name=name):
                names.add(name)
            case ast.Import(names=aliases) | ast.ImportFrom(names=aliases):
                names |= {alias.asname or alias.name.partition(".")[0] for alias in aliases}
    return names


def names_bound_by(nodes: Sequence[ast.stmt]) -> set[str]:
    return {name for node in nodes for name in bound_names(node)}


def read_names(nodes: Sequence[ast.AST]) -> set[str]:
    inner_nodes = (inner for node in nodes for inner in ast.walk(node))
    return {inner.id for inner in inner_nodes if isinstance(inner, ast.Name) and isinstance(inner.ctx, ast.Load)}


def free_names(node: ast.stmt) -> set[str]:
    """Return the names that a statement reads and does not bind itself. Scopes within it are not told apart."""
    own: set[str] = set()
    for inner in ast.walk(node):
        match inner:
            case ast.arg(arg=name) | ast.Name(id=name, ctx=ast.Store()):
                own.add(name)
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                own.add(name)
    return read_names([node]) - own


def modified_names(nodes: Sequence[ast.stmt]) -> set[str]:
    """Return the names whose values the statements may modify in place: through an attribute or a subscript."""
    names = set()
    for inner in (inner for node in nodes for inner in ast.walk(node)):
        match inner:
            case (
                ast.Attribute(value=ast.Name(id=name))
                | ast.Subscript(value=ast.Name(id=name), ctx=ast.Store() | ast.Del())
            ):
                names.add(name)
    return names
