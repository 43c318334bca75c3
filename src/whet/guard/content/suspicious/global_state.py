"""Stores into what is not one's own: another module, a class of the library, what the whole process shares."""

import ast
import re
import sys
from collections.abc import Iterator

from whet.guard.content.imports import last_line
from whet.guard.content.suspicious.flag import Flag
from whet.guard.content.suspicious.name_resolution import Names

_OWN = frozenset({"self", "cls", "mcs"})
_HANDED_OUT = re.compile(r"(get|current)[A-Z_]?\w*")
_OF_MOCKS = re.compile(
    r"assert_\w+|called(_\w+)?|call_(count|args|args_list)|mock_calls|method_calls|return_value|side_effect|_mock_\w+"
)


def changing(node: ast.AST, names: Names) -> Iterator[Flag]:
    match node:
        case ast.Attribute(ctx=ast.Store() | ast.Del(), value=whose, attr=attr):
            yield from _changed(last_line(node), ast.unparse(node), whose, names)
            yield from of_a_mock(node.lineno, whose, attr)
        case ast.Subscript(ctx=ast.Store() | ast.Del(), value=whose):
            if _is_shared(whose, names) or _is_namespace_of_another(whose, names):
                yield Flag(last_line(node), "changes what the whole process shares", ast.unparse(whose)[:40])
        case ast.Call(func=func, args=[whose, ast.Constant(value=str() as attr), *_]):
            if names.meanings(func) & {"setattr", "delattr"}:
                yield from of_a_mock(node.lineno, whose, attr)
        case _:
            return
    match node:
        case ast.Call(func=func, args=[whose, *_]) if names.meanings(func) & {"setattr", "delattr"}:
            yield from _changed(last_line(node), ast.unparse(whose), whose, names)


def emptying(node: ast.AST) -> Iterator[Flag]:
    """What it was given, emptied or replaced as a whole by a function that answers: whoever compares the two compares
    with nothing. One that gives nothing back works in place, and that is its point."""
    if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
        return
    given = {each.arg for each in (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs)} - _OWN
    inside = list(ast.walk(node))
    if any(isinstance(part, ast.Return) and part.value is not None for part in inside):
        for part in inside:
            if isinstance(part, ast.expr) and _emptied(part) in given:
                yield Flag(last_line(part), "empties what it was given", ast.unparse(part)[:60])


def _emptied(node: ast.AST) -> str:
    match node:
        case ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr="clear"), args=[]):
            return name
        case ast.Subscript(
            ctx=ast.Store() | ast.Del(), value=ast.Name(id=name), slice=ast.Slice(lower=None, upper=None)
        ):
            return name
    return ""


def of_a_mock(line: int, whose: ast.expr, attr: str) -> Iterator[Flag]:
    """What a stand-in of the tests counts and asserts is for the tests to say."""
    if _OF_MOCKS.fullmatch(attr) and not (isinstance(whose, ast.Name) and whose.id in _OWN):
        yield Flag(line, "speaks to the tests", attr)


def _changed(line: int, shown: str, whose: ast.expr, names: Names) -> Iterator[Flag]:
    if names.foreign(whose) or any(map(_is_a_class, names.foreign(whose, passed=True))):
        yield Flag(line, "changes another module", shown[:60])
    elif _is_shared(whose, names):
        yield Flag(line, "changes what the whole process shares", shown[:60])
    elif _is_the_class_of_another(whose):
        yield Flag(line, "changes the class of what it was given", shown[:60])


def _is_a_class(name: str) -> bool:
    """By its look; and a module, which has no dot unless it is part of another."""
    last = name.rpartition(".")[2]
    return last[:1].isupper() or "." not in name


def _is_shared(whose: ast.expr, names: Names) -> bool:
    """What a function of the standard library hands out to everybody (`decimal.getcontext()`)."""
    inner = whose
    while isinstance(inner, ast.Attribute | ast.Subscript):
        inner = inner.value
    for value in (inner, *names.values(inner)):
        if isinstance(value, ast.Call):
            for name in names.foreign(value.func):
                root, _, last = name.rpartition(".")
                if root.partition(".")[0] in sys.stdlib_module_names and _HANDED_OUT.fullmatch(last):
                    return True
    return False


def _is_namespace_of_another(whose: ast.expr, names: Names) -> bool:
    match whose:
        case ast.Attribute(value=inner, attr="__dict__"):
            return bool(names.foreign(inner, passed=True))
    return any(
        "." in name and name.partition(".")[0] in sys.stdlib_module_names and not name.startswith("os.environ")
        for name in names.foreign(whose)
    )


def _is_the_class_of_another(whose: ast.expr) -> bool:
    match whose:
        case ast.Call(func=ast.Name(id="type"), args=[ast.Name(id=name)]):
            return name not in _OWN
        case ast.Call(func=ast.Name(id="type"), args=[_]):
            return True
        case ast.Attribute(value=ast.Name(id=name), attr="__class__"):
            return name not in _OWN
        case ast.Attribute(attr="__class__"):
            return True
    return False
