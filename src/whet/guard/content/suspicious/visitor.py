"""What one node of a file wants a reader for."""

import ast
from collections.abc import Iterator
from typing import cast

from whet.guard.content.imports import bound_by, docstrings, imported, last_line, names_of, resolved, root_of
from whet.guard.content.suspicious.annotations import annotations
from whet.guard.content.suspicious.assembled_strings import bound_in, by_parts, named_by_text, put_together
from whet.guard.content.suspicious.constant_text import texts
from whet.guard.content.suspicious.env_probes import asking
from whet.guard.content.suspicious.flag import Flag
from whet.guard.content.suspicious.global_state import changing, emptying
from whet.guard.content.suspicious.listed_names import by_constant, by_name, through
from whet.guard.content.suspicious.lookalike_classes import pretending
from whet.guard.content.suspicious.name_resolution import Names
from whet.guard.content.suspicious.timing import Steady
from whet.guard.content.suspicious.vocabulary import (
    ATTRIBUTES,
    COPYING,
    GETTERS,
    KEPT,
    PRETENDING,
    REACHING,
    ROOTS,
    TELLING_ATTRIBUTES,
)  # fmt: skip


class Visitor:
    """What one node of a file wants a reader for, seen with what the names of the file stand for."""

    def __init__(self, tree: ast.Module) -> None:
        every = list(imported(tree))
        self._aliases = dict(every)
        self._twice = {name for name, target in every if (name, target) != (name, self._aliases[name])}
        self._bound = bound_in(tree)
        self._names = Names(tree)
        self._steady = Steady(tree, self._names)
        self._documents = {id(text) for text in docstrings(tree)}
        self._called = {id(node.func) for node in ast.walk(tree) if isinstance(node, ast.Call)}
        self._inner = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
        self._only_asked = set(map(id, _only_asked(tree)))

    def __call__(self, node: ast.AST) -> Iterator[Flag]:
        yield from pretending(node, self._names)
        yield from changing(node, self._names)
        yield from emptying(node)
        yield from asking(node, self._names)
        yield from self._steady.decisions(node)
        yield from annotations(node, self._bound)
        if id(node) not in self._documents:
            yield from put_together(node, self._bound)
            yield from by_parts(node, self._names)
        yield from self._seen(node)

    def _seen(self, node: ast.AST) -> Iterator[Flag]:
        match node:
            case ast.Import() | ast.ImportFrom():
                for name in names_of(node):
                    yield from by_name(node.lineno, name, imports=True)
                    yield from through(node.lineno, name)
                for bound, target in bound_by(node):
                    if bound in PRETENDING:
                        yield Flag(node.lineno, "decides what its values are equal to or taken for", bound)
                    if self._aliases.get(bound) != target or bound in self._twice:
                        yield Flag(node.lineno, "gives one name two meanings", bound)
            case ast.Name() | ast.Attribute():
                yield from self._used(node)
            case ast.Constant(value=str() | bytes()) if id(node) not in self._documents:
                yield from by_constant(node)
            case ast.FunctionDef() | ast.AsyncFunctionDef() if any(
                isinstance(one, ast.Try) and _yields(one) for one in ast.walk(node)
            ):
                yield Flag(node.lineno, "may swallow what is raised where it is used", node.name)
            case ast.MatchClass(kwd_attrs=[_, *_]):
                for name in {*node.kwd_attrs} & (ATTRIBUTES | PRETENDING | {"__import__"}):
                    yield Flag(node.lineno, "reaches under the language", name)
            case ast.ExceptHandler() if node.type is None or ast.unparse(node.type) == "BaseException":
                yield Flag(node.lineno, "catches everything, even the end of the process", "except", only_if_new=True)
            case ast.Call():
                yield from self._call(node)
            case ast.Compare(left=left, comparators=right) if any(map(_name_of_a_type, [left, *right])):
                yield Flag(node.lineno, "depends on where it runs", "a type's name", only_if_new=True)

    def _call(self, node: ast.Call) -> Iterator[Flag]:
        for written in self._as_written(node):
            yield from self._used(written)
        match node:
            case ast.Call(func=ast.Name(id="setattr" | "delattr" | "getattr" as name), args=[first, key, *_]):
                yield from self._by_key(node, name, first, key)
            case ast.Call(args=[_, *_]) if self._resolved(node.func) in GETTERS:
                if not all(isinstance(one, ast.Constant) for one in node.args):
                    yield Flag(node.lineno, "reaches for a name that is not written down", "getter")
            case ast.Call(func=ast.Name(id="dir"), args=[]):
                yield Flag(node.lineno, "reaches all names at once", "dir")
            case ast.Call(func=ast.Attribute(value=whose, attr="time"), args=[]) if "loop" in ast.unparse(whose):
                yield Flag(node.lineno, "depends on the clock", "loop.time", only_if_more=True)
            case ast.Call(args=args, keywords=words) if self._resolved(node.func) in COPYING:
                if len(args) > COPYING[self._resolved(node.func)] or words:
                    yield Flag(node.lineno, "reaches for a name that is not written down", "update_wrapper")

    def _by_key(self, node: ast.Call, name: str, first: ast.expr, key: ast.expr) -> Iterator[Flag]:
        if isinstance(first, ast.Name) and first.id in self._aliases:
            yield Flag(node.lineno, "reaches into another module", name)
        if named_by_text(key, _leads_on):
            yield Flag(node.lineno, "reaches for a name that is not written down", ast.unparse(key)[:40])
        elif isinstance(key, ast.Name | ast.Attribute | ast.Subscript) and not self._is_asked_for(name, first, key):
            yield Flag(node.lineno, "reaches for a name that is not written down", name, only_if_new=True)

    def _is_asked_for(self, name: str, first: ast.expr, key: ast.expr) -> bool:
        """A name that the caller says, of a value that is no module and no class of another one."""
        own = isinstance(first, ast.Name) and first.id in ("self", "cls")
        return (
            self._names.is_parameter(key) and (own or name == "getattr") and not self._names.foreign(first, passed=True)
        )

    def _as_written(self, node: ast.Call) -> Iterator[ast.Attribute]:
        """What is looked up by a text, as if it were written with dots."""
        match node:
            case ast.Call(func=func, args=[first, key, *_]) if self._names.meanings(func) & {"getattr"}:
                for name in texts(key, self._values):
                    yield _dotted(first, name, node)
            case ast.Call(func=func, args=[first, *_]):
                for name in self._names.getters(func):
                    yield _dotted(first, name, node)
        for name in self._names.getters(node):
            yield _dotted(ast.Name(id="", ctx=ast.Load()), name, node)

    def _values(self, node: ast.expr) -> list[ast.expr]:
        return self._names.values(node, passed=True)

    def _used(self, node: ast.Name | ast.Attribute) -> Iterator[Flag]:
        if isinstance(node, ast.Attribute) and node.attr in ATTRIBUTES:
            yield Flag(last_line(node), "reaches under the language", node.attr)
        if isinstance(node, ast.Attribute) and node.attr in TELLING_ATTRIBUTES:
            yield Flag(last_line(node), "depends on where it runs", node.attr, only_if_new=True)
        if isinstance(node.ctx, ast.Store | ast.Del):
            yield from self._written(node)
        if id(node) in self._inner or not isinstance(node.ctx, ast.Load):
            return  # the whole of a dotted name is looked at, once
        if self._steady.measures(node):
            return
        for name in sorted({self._resolved(node), *self._names.meanings(node)} - {""}):
            yield from self._by_meaning(node, name)
            if self._is_imported(node) or name != self._resolved(node):
                yield from through(last_line(node), name)
            yield from self._by_way(node, name)
        if isinstance(node, ast.Name) and node.id in self._names.modules and id(node) not in self._only_asked:
            yield Flag(last_line(node), "hands on a module", node.id)

    def _by_meaning(self, node: ast.Name | ast.Attribute, name: str) -> Iterator[Flag]:
        """A value that has another name by now was asked for where it got it; to call it is to ask again."""
        again = isinstance(node, ast.Name) and name != self._resolved(node) and id(node) not in self._called
        for mark in by_name(last_line(node), name):
            if not (again and (mark.only_if_new or mark.only_if_more)):
                yield mark

    def _by_way(self, node: ast.Name | ast.Attribute, name: str) -> Iterator[Flag]:
        """One module through another (`logging.os._exit`), and a module that is handed on under another name."""
        imported = self._is_imported(node) or name != self._resolved(node)
        root, _, rest = name.partition(".")
        while rest:
            for mark in by_name(last_line(node), rest) if "." in rest else ():
                if not (mark.only_if_new or mark.only_if_more) or imported:
                    yield mark
            root, _, rest = rest.partition(".")
        if name in REACHING and id(node) not in self._called:
            yield Flag(node.lineno, "hands on what reaches for names", name)
        if imported and (name in ROOTS or ("." in name and root in KEPT)):
            yield Flag(last_line(node), "hands on a module that leads to everything", name)

    def _is_imported(self, node: ast.Name | ast.Attribute) -> bool:
        first = node.id if isinstance(node, ast.Name) else root_of(node)
        return first in self._aliases or first == ""

    def _written(self, node: ast.Name | ast.Attribute) -> Iterator[Flag]:
        name = node.id if isinstance(node, ast.Name) else node.attr
        if name in PRETENDING:
            yield Flag(node.lineno, "decides what its values are equal to or taken for", name)

    def _resolved(self, node: ast.expr) -> str:
        return resolved(node, self._aliases)


def _dotted(first: ast.expr, names: str, place: ast.Call) -> ast.Attribute:
    found = first
    for name in names.split("."):
        found = ast.copy_location(ast.Attribute(value=found, attr=name, ctx=ast.Load()), place)
    return cast("ast.Attribute", found)


def _only_asked(tree: ast.Module) -> Iterator[ast.expr]:
    """Values that are only asked whether they are there, as a module is that may be missing."""
    for node in ast.walk(tree):
        match node:
            case ast.Compare(left=left, ops=[ast.Is() | ast.IsNot()], comparators=[right]):
                yield from (left, right)
            case ast.If(test=test) | ast.IfExp(test=test) | ast.While(test=test) | ast.Assert(test=test):
                yield test
            case ast.BoolOp(values=[*asked, _]):
                yield from asked
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                yield operand
            case ast.Call(func=ast.Name(id="hasattr" | "bool" | "getattr"), args=[first, *_]):
                yield first


def _leads_on(start: str) -> bool:
    return any(name.startswith(start) for name in ATTRIBUTES)


def _name_of_a_type(node: ast.expr) -> bool:
    match node:
        case ast.Attribute(value=ast.Call(), attr="__name__" | "__qualname__" | "__module__"):
            return True
    return False


def _yields(node: ast.Try) -> bool:
    return bool(node.handlers) and any(
        isinstance(one, ast.Yield | ast.YieldFrom) for part in node.body for one in ast.walk(part)
    )
