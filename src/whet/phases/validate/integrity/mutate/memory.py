"""Versions of a patch whose functions forget between calls what the patch makes them remember.

If no test notices that, no test asks for the memory: a counter, a cache, an attribute that a fix changes besides.
"""

import ast
import copy
from collections.abc import Iterator
from dataclasses import replace

from whet.phases.validate.integrity.mutate.patch_mutant import FORGETFUL, REDUCED, PatchMutant, replaced
from whet.pyast.functions import Function, docstrings, functions

_CACHES = {"cache", "lru_cache", "cached_property", "memoize"}
_INITIAL = ("__init__", "__new__", "__post_init__", "setUp")
_CHANGING = {
    "append", "add", "update", "setdefault", "pop", "clear", "extend", "insert", "remove", "discard", "popitem",
    "appendleft", "popleft", "__setitem__", "move_to_end",
}  # fmt: skip


def forgetful(path: str, old: str, new: str) -> Iterator[PatchMutant]:
    """Yield versions of the new text, each without one memory that the old text does not have."""
    try:
        before, after = ast.parse(old), ast.parse(new)
    except (SyntaxError, ValueError, RecursionError):
        return
    known = {_named(node) for node in ast.walk(before)}
    bodies = {name: node for name, node in functions(after).items() if isinstance(node, Function)}
    for name, owner, value in _collections(after):
        if name not in known:
            place = f"{owner}.{name}" if owner else f"globals()[{name!r}]"
            yield from _reset(path, new, bodies, name, f"{place} = {value}")
    for name, owner, value in _attributes(bodies):
        if name not in known:
            reset = f"{owner}.{name} = {value}" if value else f"vars({owner}).pop({name!r}, None)"
            yield from _reset(path, new, bodies, name, reset)
    methods = [function for name, function in bodies.items() if "." in name]
    for function in methods:  # the key of a plain function's cache is all that it is given
        for decorator in function.decorator_list:
            if _last_name(decorator) in _CACHES and _last_name(decorator) not in old:
                mutant = replaced(path, new, decorator, "lambda function: function", FORGETFUL)
                words = f"`@{_last_name(decorator)}` left out"
                yield from [replace(mutant, line=function.body[0].lineno, words=words)] if mutant else []
    yield from _put_back(path, new, before, after)


def _collections(tree: ast.Module) -> Iterator[tuple[str, str, str]]:
    """Yield (name, class or "", value) for each assignment at the top of the module and of its classes."""
    scopes = [("", tree.body), *((node.name, node.body) for node in tree.body if isinstance(node, ast.ClassDef))]
    for owner, body in scopes:
        for statement in body:
            match statement:
                case ast.Assign(targets=[ast.Name(id=name)], value=value):
                    yield name, owner, ast.unparse(value)
                case ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value):
                    yield name, owner, ast.unparse(value)


def _attributes(bodies: dict[str, Function]) -> Iterator[tuple[str, str, str]]:
    """Yield (name, owner, first value or "") of the attributes that functions set; values that are no literals are left out."""
    owners: dict[str, str] = {}
    values: dict[str, str | None] = {}
    for function in bodies.values():
        for node in ast.walk(function):
            match node:
                case ast.Attribute(value=ast.Name(id=owner), attr=name, ctx=ast.Store()):
                    owners.setdefault(name, owner)
            if function.name in _INITIAL and isinstance(node, ast.Assign | ast.AnnAssign) and node.value is not None:
                for target in node.targets if isinstance(node, ast.Assign) else [node.target]:
                    if isinstance(target, ast.Attribute):
                        values[target.attr] = ast.unparse(node.value) if _is_simple(node.value) else None
    for name, owner in owners.items():
        if (value := values.get(name, "")) is not None:
            yield name, owner, value


def _is_simple(value: ast.expr) -> bool:
    """True for a literal, an empty collection and a call without arguments, which mean the same everywhere."""
    empty = ast.List | ast.Dict | ast.Set | ast.Tuple | ast.Constant
    return isinstance(value, empty) or (isinstance(value, ast.Call) and not value.args and not value.keywords)


def _reset(path: str, source: str, bodies: dict[str, Function], name: str, statement: str) -> Iterator[PatchMutant]:
    """Yield the source in which every function that reads a name resets it first, if a function changes it."""
    users = [function for function in bodies.values() if function.name not in _INITIAL and _uses(function, name)]
    if not any(_changes(function, name) for function in users):
        return
    lines = source.splitlines(keepends=True)
    places = [_first(function) for function in users]
    for first in sorted(places, key=lambda node: -node.lineno):
        if lines[first.lineno - 1][: first.col_offset].strip():
            return  # the body stands in the line of the `def`
        lines.insert(first.lineno - 1, " " * first.col_offset + statement + "\n")
    changed = "".join(lines)
    try:
        ast.parse(changed)
    except (SyntaxError, ValueError, RecursionError):
        return
    line = min(
        node.lineno
        for function in users
        for node in ast.walk(function)
        if isinstance(node, ast.expr) and _named(node) == name
    )
    yield PatchMutant(path, line, f"that `{name}` is reset when a call begins", changed, FORGETFUL)


def _first(function: Function) -> ast.stmt:
    """Return the first statement of a function behind its docstring."""
    texts = set(docstrings(ast.Module(function.body, [])))
    return next(
        (node for node in function.body if not (isinstance(node, ast.Expr) and node.value in texts)), function.body[-1]
    )


def _uses(function: Function, name: str) -> bool:
    return any(_named(node) == name for node in ast.walk(function))


def _changes(function: Function, name: str) -> bool:
    """True if a function sets a name or attribute, or changes the collection that it holds."""
    for node in ast.walk(function):
        match node:
            case ast.Global(names=names) if name in names:
                return True
            case ast.Attribute(attr=attribute, ctx=ast.Store()) if attribute == name:
                return True
            case ast.Subscript(value=value, ctx=ast.Store() | ast.Del()) if _named(value) == name:
                return True
            case ast.Call(func=ast.Attribute(value=value, attr=method)) if (
                method in _CHANGING and _named(value) == name
            ):
                return True
            case ast.Call(func=ast.Name(id="next"), args=[value, *_]) if _named(value) == name:
                return True
    return False


def _put_back(path: str, source: str, before: ast.Module, after: ast.Module) -> Iterator[PatchMutant]:
    """Yield versions in which a function puts an attribute back at its end that its old version did not set."""
    old_functions = functions(before)
    known = {node.attr for node in ast.walk(before) if isinstance(node, ast.Attribute)}
    for name, function in functions(after).items():
        old = old_functions.get(name)
        if not isinstance(function, Function) or not isinstance(old, Function) or function.name in _INITIAL:
            continue
        stores, old_stores = _stores(function), _stores(old)
        for text in sorted(stores.keys() - old_stores.keys()):
            if text.rpartition(".")[2] in known:
                mutant = replaced(path, source, function, _putting_back(function, text), REDUCED)
                words = f"that `{text}` is put back when `{function.name}` ends"
                yield from [replace(mutant, line=stores[text], words=words)] if mutant else []


def _stores(function: Function) -> dict[str, int]:
    return {
        ast.unparse(node): node.lineno
        for node in ast.walk(function)
        if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store) and isinstance(node.value, ast.Name)
    }


def _putting_back(function: Function, text: str) -> str:
    version = copy.deepcopy(function)
    version.decorator_list = []
    keep, put_back = ast.parse(f"_kept_value = {text}").body, ast.parse(f"{text} = _kept_value").body
    version.body = [*keep, ast.Try(body=version.body, handlers=[], orelse=[], finalbody=put_back)]
    return ast.unparse(ast.fix_missing_locations(version))


def _named(node: ast.AST) -> str:
    match node:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name
    return ""


def _last_name(decorator: ast.expr) -> str:
    function = decorator.func if isinstance(decorator, ast.Call) else decorator
    return ast.unparse(function).rpartition(".")[2]
