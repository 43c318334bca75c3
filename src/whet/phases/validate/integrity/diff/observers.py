"""Changes of a file that alter what a test observes, instead of what the code does."""

import ast
from collections.abc import Iterator

from whet.pyast.functions import Function, functions, parameters

_OBSERVERS = ("__eq__", "__len__", "__hash__", "__bool__")


def changed_observer(old: str, new: str) -> str:
    """Describe the first changed type or comparison of the file; else empty."""
    try:
        before, after = ast.parse(old), ast.parse(new)
    except (SyntaxError, ValueError, RecursionError):
        return ""
    return next(_changes(before, after), "")


def ignored_parameters(old: str, new: str) -> Iterator[tuple[int, int, str]]:
    """Yield (first line, last line, description) of each function that no longer reads a parameter that it read."""
    try:
        before, after = functions(ast.parse(old)), functions(ast.parse(new))
    except (SyntaxError, ValueError, RecursionError):
        return
    for name, function in after.items():
        earlier = before.get(name)
        if isinstance(function, Function) and isinstance(earlier, Function) and not _only_raises(function):
            lost = _read_parameters(earlier) & set(parameters(function.args)) - _read_parameters(function)
            for parameter in sorted(lost):
                words = f"`{name}` no longer reads its parameter `{parameter}`"
                yield function.lineno, function.end_lineno or function.lineno, words


def _changes(before: ast.Module, after: ast.Module) -> Iterator[str]:
    old_classes, new_classes = dict(_classes(before)), dict(_classes(after))
    new_functions = functions(after)
    for name, old in old_classes.items():
        new = new_classes.get(name)
        if new is None:
            if name in new_functions:
                yield f"the class `{name}` became a function"
            continue
        old_values, new_values = _constants(old), _constants(new)
        for member, value in new_values.items():
            twins = [other for other, theirs in new_values.items() if other != member and theirs == value]
            if _is_enum(new) and any(old_values.get(member) != old_values.get(twin) for twin in twins):
                yield f"`{name}.{member}` became an alias of `{name}.{twins[0]}`: the two are now equal"
        old_methods, new_methods = _methods(old), _methods(new)
        for method in _OBSERVERS:
            if method in old_methods and method in new_methods and old_methods[method] != new_methods[method]:
                yield f"`{name}.{method}` changed, by which tests compare"


def _classes(tree: ast.AST, prefix: str = "") -> Iterator[tuple[str, ast.ClassDef]]:
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.ClassDef):
            yield f"{prefix}{node.name}", node
            yield from _classes(node, f"{prefix}{node.name}.")


def _methods(node: ast.ClassDef) -> dict[str, str]:
    return {item.name: ast.dump(item) for item in node.body if isinstance(item, Function)}


def _constants(node: ast.ClassDef) -> dict[str, str]:
    """Return the attributes of a class that are set to a literal, as text."""
    found = {}
    for item in node.body:
        if isinstance(item, ast.Assign) and isinstance(item.value, ast.Constant):
            found.update({target.id: repr(item.value.value) for target in item.targets if isinstance(target, ast.Name)})
    return found


def _is_enum(node: ast.ClassDef) -> bool:
    return any(ast.unparse(base).rpartition(".")[2].endswith(("Enum", "Flag")) for base in node.bases)


def _read_parameters(function: Function) -> set[str]:
    read = {
        node.id for statement in function.body for node in ast.walk(statement)
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)
    }  # fmt: skip
    return {name for name in parameters(function.args) if name in read and name not in ("self", "cls")}


def _only_raises(function: Function) -> bool:
    return isinstance(function.body[-1], ast.Raise) and len(function.body) <= 2
