"""Stores into objects that the code does not own: another module, a library class, state of the whole process."""

import ast
import re
import sys
from collections.abc import Iterator

from whet.guard.content.suspicious.flag import Flag
from whet.guard.content.suspicious.vocabulary import SHARED_STATE
from whet.pyast.functions import Function, last_line, parameters
from whet.pyast.resolve import NameResolver

_OWN = frozenset({"self", "cls", "mcs"})
# Functions of the standard library that return an object shared by all callers (`decimal.getcontext`).
_SHARED_GETTER = re.compile(r"(get|current)[A-Z_]?\w*")
_MOCK_ATTRIBUTE = re.compile(
    r"assert_\w+|called(_\w+)?|call_(count|args|args_list)|mock_calls|method_calls|return_value|side_effect|_mock_\w+"
)


def store_flags(node: ast.AST, names: NameResolver) -> Iterator[Flag]:
    """Flag stores and deletions by dot, by subscript and by `setattr` or `delattr`."""
    match node:
        case ast.Attribute(ctx=ast.Store() | ast.Del(), value=owner, attr=attr):
            yield from _owner_flags(last_line(node), ast.unparse(node), owner, names)
            yield from _mock_flags(node.lineno, owner, attr)
        case ast.Subscript(ctx=ast.Store() | ast.Del(), value=owner):
            if _is_shared(owner, names) or _is_foreign_namespace(owner, names):
                yield Flag(last_line(node), SHARED_STATE, ast.unparse(owner)[:40])
        case ast.Call(func=func, args=[owner, key, *_]) if names.meanings(func) & {"setattr", "delattr"}:
            if isinstance(key, ast.Constant) and isinstance(key.value, str):
                yield from _mock_flags(node.lineno, owner, key.value)
                yield from _owner_flags(last_line(node), ast.unparse(owner), owner, names)


def emptying_flags(node: ast.AST) -> Iterator[Flag]:
    """Flag a function that clears or replaces an argument as a whole and returns a value.

    A test that compares the argument with the result would compare nothing with nothing. A function that returns None
    works in place, which is its purpose.
    """
    if not isinstance(node, Function):
        return
    own_parameters = set(parameters(node.args)) - _OWN
    inside = list(ast.walk(node))
    if any(isinstance(part, ast.Return) and part.value is not None for part in inside):
        for part in inside:
            if isinstance(part, ast.expr) and _emptied_name(part) in own_parameters:
                yield Flag(last_line(part), "empties its argument: {name}", ast.unparse(part)[:60])


def _emptied_name(node: ast.expr) -> str:
    match node:
        case ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr="clear"), args=[]):
            return name
        case ast.Subscript(
            ctx=ast.Store() | ast.Del(), value=ast.Name(id=name), slice=ast.Slice(lower=None, upper=None)
        ):
            return name
    return ""


def _mock_flags(line: int, owner: ast.expr, attr: str) -> Iterator[Flag]:
    """Flag an assignment to an attribute that mocks count or assert with, such as `call_count`; only tests should set one."""
    if _MOCK_ATTRIBUTE.fullmatch(attr) and not (isinstance(owner, ast.Name) and owner.id in _OWN):
        yield Flag(line, "sets an attribute that mocks record or assert: {name}", attr)


def _owner_flags(line: int, shown: str, owner: ast.expr, names: NameResolver) -> Iterator[Flag]:
    if names.foreign(owner) or any(map(_is_class_or_module, names.foreign(owner, passed=True))):
        yield Flag(line, "changes another module: {name}", shown[:60])
    elif _is_shared(owner, names):
        yield Flag(line, SHARED_STATE, shown[:60])
    elif _is_class_of_a_value(owner):
        yield Flag(line, "changes the class of a value: {name}", shown[:60])


def _is_class_or_module(name: str) -> bool:
    """Guess by the name: classes are capitalised; a name without a dot is a module."""
    last = name.rpartition(".")[2]
    return last[:1].isupper() or "." not in name


def _is_shared(owner: ast.expr, names: NameResolver) -> bool:
    """True if `owner` is part of an object that a library function returns to all callers (`decimal.getcontext()`)."""
    root = owner
    while isinstance(root, ast.Attribute | ast.Subscript):
        root = root.value
    for value in (root, *names.values(root)):
        if isinstance(value, ast.Call):
            for name in names.foreign(value.func):
                module, _, function = name.rpartition(".")
                if module.partition(".")[0] in sys.stdlib_module_names and _SHARED_GETTER.fullmatch(function):
                    return True
    return False


def _is_foreign_namespace(owner: ast.expr, names: NameResolver) -> bool:
    """True for the `__dict__` of another module's object and for a table of the standard library."""
    match owner:
        case ast.Attribute(value=inner, attr="__dict__"):
            return bool(names.foreign(inner, passed=True))
    return any(
        "." in name and name.partition(".")[0] in sys.stdlib_module_names and not name.startswith("os.environ")
        for name in names.foreign(owner)
    )


def _is_class_of_a_value(owner: ast.expr) -> bool:
    match owner:
        case ast.Call(func=ast.Name(id="type"), args=[ast.Name(id=name)]):
            return name not in _OWN
        case ast.Call(func=ast.Name(id="type"), args=[_]):
            return True
        case ast.Attribute(value=ast.Name(id=name), attr="__class__"):
            return name not in _OWN
        case ast.Attribute(attr="__class__"):
            return True
    return False
