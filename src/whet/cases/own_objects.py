"""The names in a function that only ever hold objects which it made itself, so that a change of them changes nothing else."""

import ast
from collections.abc import Callable

_DISPLAYS = (ast.List, ast.Dict, ast.Set, ast.ListComp, ast.DictComp, ast.SetComp)
_CONTAINERS = frozenset(
    {"Counter", "OrderedDict", "SimpleNamespace", "bytearray", "defaultdict", "deque", "dict", "list", "set"}
)


def own_objects(function: ast.FunctionDef, is_project: Callable[[str], bool]) -> frozenset[str]:
    """Return the names whose every value is a new object. `is_project` is true for an imported name of the project."""
    values: dict[str, list[ast.expr | None]] = {}
    assigned = {
        id(target): node.value for node in ast.walk(function) if isinstance(node, ast.Assign) for target in node.targets
    }
    for node in ast.walk(function):
        if isinstance(node, ast.arg):
            values.setdefault(node.arg, []).append(None)
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            values.setdefault(node.id, []).append(assigned.get(id(node)))
    return frozenset(name for name, given in values.items() if all(_is_new(value, is_project) for value in given))


def _is_new(value: ast.expr | None, is_project: Callable[[str], bool]) -> bool:
    """True if an expression makes a new object. Other calls may return what they are given: `type(x)`, `copy(Class)`."""
    if not isinstance(value, ast.Call):
        return isinstance(value, _DISPLAYS)
    name = value.func.attr if isinstance(value.func, ast.Attribute) else root_name(value.func)
    return name in _CONTAINERS or is_project(root_name(value.func))


def root_name(node: ast.expr) -> str:
    """Return the name at the left end of an attribute or subscript; empty if there is none."""
    while isinstance(node, ast.Attribute | ast.Subscript):
        node = node.value
    return node.id if isinstance(node, ast.Name) else ""
