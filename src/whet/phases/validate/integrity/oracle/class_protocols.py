"""Compare the special methods of a class before and after a patch: equality, hashing, representation."""

import ast
from collections.abc import Iterator

_Definition = ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef
_Definitions = dict[str, list[_Definition]]


def has_same_protocols(old: str, new: str, name: str) -> bool:
    """True if the class is in both texts and its special methods are the same, with all definitions that they name.

    False if the class is made or changed in any way other than by its one definition.
    """
    try:
        before, after = ast.parse(old), ast.parse(new)
    except (SyntaxError, ValueError, RecursionError):
        return False
    old_class, new_class = _find_class(before, name), _find_class(after, name)
    if old_class is None or new_class is None or _is_changed_outside(after, name.partition(".")[0]):
        return False
    return _protocols(before, old_class) == _protocols(after, new_class)


def _find_class(tree: ast.Module, name: str) -> ast.ClassDef | None:
    """Return the definition of `Outer.Inner`; None if there is none or more than one."""
    body: list[ast.stmt] = tree.body
    class_node = None
    for part in name.split("."):
        matches = [node for node in body if isinstance(node, ast.ClassDef) and node.name == part]
        if len(matches) != 1:
            return None
        class_node = matches[0]
        body = class_node.body
    return class_node


def _is_changed_outside(tree: ast.Module, name: str) -> bool:
    """True if the class is bound a second time, or may get attributes from outside its definition."""
    for node in ast.walk(tree):
        match node:
            case ast.Name(id=bound, ctx=ast.Store() | ast.Del()) if bound == name:
                return True
            case ast.Attribute(attr=attribute, ctx=ast.Store() | ast.Del()) if _is_special(attribute):
                return True
            case ast.Attribute(value=ast.Name(id=bound), ctx=ast.Store() | ast.Del()) if bound == name:
                return True
            case ast.Call(func=ast.Name(id="setattr")):
                return True
    return False


def _protocols(tree: ast.Module, class_node: ast.ClassDef) -> dict[str, list[str]]:
    """Return the class header, the special methods, and every definition of the file that they name, transitively."""
    definitions: _Definitions = {}
    for node in ast.walk(tree):
        if isinstance(node, _Definition):
            definitions.setdefault(node.name, []).append(node)
    header = [*class_node.bases, *class_node.keywords, *class_node.decorator_list]
    dumps = {"": [ast.dump(part) for part in header]}
    methods = [node for node in class_node.body if isinstance(node, _Definition) and _is_special(node.name)]
    waiting: list[tuple[str, list[_Definition]]] = [(method.name, [method]) for method in methods]
    for part in [*class_node.bases, *class_node.decorator_list]:
        waiting += [(name, definitions[name]) for name in _names_in(part, definitions)]
    while waiting:
        name, nodes = waiting.pop()
        if name not in dumps:
            dumps[name] = [ast.dump(node) for node in nodes]
            names = {other for node in nodes for other in _names_in(node, definitions)} - {class_node.name}
            waiting += [(other, definitions[other]) for other in names]
    return dumps


def _names_in(node: ast.AST, definitions: _Definitions) -> Iterator[str]:
    for inner in ast.walk(node):
        if isinstance(inner, ast.Name) and inner.id in definitions:
            yield inner.id
        elif isinstance(inner, ast.Attribute) and inner.attr in definitions:
            yield inner.attr


def _is_special(name: str) -> bool:
    return name.startswith("__") and name.endswith("__")
