"""Whether a class behaves towards others as it did before: what it is equal to, taken for or shown as."""

import ast
from collections.abc import Iterator

_Definition = ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef


def same_manners(old: str, new: str, name: str) -> bool:
    """The class is in both texts and its special methods, with all that they name in the file, are the same there.

    No where the class is made or altered in another way than by its one definition.
    """
    try:
        before, after = ast.parse(old), ast.parse(new)
    except (SyntaxError, ValueError, RecursionError):
        return False
    first, second = _class(before, name), _class(after, name)
    if first is None or second is None or _altered(after, name.partition(".")[0]):
        return False
    return _manners(before, first) == _manners(after, second)


def _class(tree: ast.Module, name: str) -> ast.ClassDef | None:
    """The one definition of that name; None where there is none or more."""
    body: list[ast.stmt] = tree.body
    found = None
    for part in name.split("."):
        same = [one for one in body if isinstance(one, ast.ClassDef) and one.name == part]
        if len(same) != 1:
            return None
        found, body = same[0], same[0].body
    return found


def _altered(tree: ast.Module, name: str) -> bool:
    """Bound a second time, or given something from outside its definition."""
    for node in ast.walk(tree):
        match node:
            case ast.Name(id=bound, ctx=ast.Store() | ast.Del()) if bound == name:
                return True
            case ast.Attribute(attr=attribute, ctx=ast.Store() | ast.Del()) if _special(attribute):
                return True
            case ast.Attribute(value=ast.Name(id=bound), ctx=ast.Store() | ast.Del()) if bound == name:
                return True
            case ast.Call(func=ast.Name(id="setattr")):
                return True
    return False


def _manners(tree: ast.Module, kind: ast.ClassDef) -> dict[str, list[str]]:
    """The class's head, its special methods, and every definition of the file that they name, and so on."""
    everything: dict[str, list[_Definition]] = {}
    for one in ast.walk(tree):
        if isinstance(one, _Definition):
            everything.setdefault(one.name, []).append(one)
    head = [ast.dump(part) for part in [*kind.bases, *kind.keywords, *kind.decorator_list]]
    found = {"": head}
    waiting = [(one.name, [one]) for one in kind.body if isinstance(one, _Definition) and _special(one.name)]
    waiting += [
        (name, everything[name]) for part in [*kind.bases, *kind.decorator_list] for name in _named(part, everything)
    ]
    while waiting:
        name, nodes = waiting.pop()
        if name not in found:
            found[name] = [ast.dump(node) for node in nodes]
            named = {other for node in nodes for other in _named(node, everything)} - {kind.name}
            waiting += [(other, everything[other]) for other in named]
    return found


def _named(node: ast.AST, everything: dict[str, list[_Definition]]) -> Iterator[str]:
    for one in ast.walk(node):
        name = one.id if isinstance(one, ast.Name) else one.attr if isinstance(one, ast.Attribute) else ""
        if name in everything:
            yield name


def _special(name: str) -> bool:
    return name.startswith("__") and name.endswith("__")
