"""The names that the statements of a test bind or modify."""

import ast
from collections.abc import Sequence

from whet.pyast.bindings import bound_names


def names_bound_by(nodes: Sequence[ast.stmt]) -> set[str]:
    return {name for node in nodes for name in bound_names(node)}


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
