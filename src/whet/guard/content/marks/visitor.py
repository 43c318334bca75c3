"""What one node of a file wants a reader for."""

import ast
from collections.abc import Iterator

from whet.guard.content.imports import bound_by, docstrings, imported, last_line, names_of, resolved, root_of
from whet.guard.content.marks.annotations import annotations
from whet.guard.content.marks.by_name import by_constant, by_name, through
from whet.guard.content.marks.mark import Mark
from whet.guard.content.marks.pretending import pretending
from whet.guard.content.marks.put_together import bound_in, named_by_text, put_together
from whet.guard.content.marks.vocabulary import (
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
    """What one node of a file wants a reader for, seen with the names that the file imports."""

    def __init__(self, tree: ast.Module) -> None:
        every = list(imported(tree))
        self._aliases = dict(every)
        self._twice = {name for name, target in every if (name, target) != (name, self._aliases[name])}
        self._bound = bound_in(tree)
        self._documents = {id(text) for text in docstrings(tree)}
        self._called = {id(node.func) for node in ast.walk(tree) if isinstance(node, ast.Call)}
        self._inner = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Attribute)}

    def __call__(self, node: ast.AST) -> Iterator[Mark]:
        yield from pretending(node, self._bound)
        yield from annotations(node, self._bound)
        if id(node) not in self._documents:
            yield from put_together(node, self._bound)
        yield from self._seen(node)

    def _seen(self, node: ast.AST) -> Iterator[Mark]:
        match node:
            case ast.Import() | ast.ImportFrom():
                for name in names_of(node):
                    yield from by_name(node.lineno, name, imports=True)
                    yield from through(node.lineno, name)
                for bound, target in bound_by(node):
                    if bound in PRETENDING:
                        yield Mark(node.lineno, "decides what its values are equal to or taken for", bound)
                    if self._aliases.get(bound) != target or bound in self._twice:
                        yield Mark(node.lineno, "gives one name two meanings", bound)
            case ast.Name() | ast.Attribute():
                yield from self._used(node)
            case ast.Constant(value=str() | bytes()) if id(node) not in self._documents:
                yield from by_constant(node)
            case ast.FunctionDef() | ast.AsyncFunctionDef() if any(
                isinstance(one, ast.Try) and _yields(one) for one in ast.walk(node)
            ):
                yield Mark(node.lineno, "may swallow what is raised where it is used", node.name)
            case ast.MatchClass(kwd_attrs=[_, *_]):
                for name in {*node.kwd_attrs} & (ATTRIBUTES | PRETENDING | {"__import__"}):
                    yield Mark(node.lineno, "reaches under the language", name)
            case ast.ExceptHandler() if node.type is None or ast.unparse(node.type) == "BaseException":
                yield Mark(node.lineno, "catches everything, even the end of the process", "except", only_if_new=True)
            case ast.Call(func=ast.Name(id="setattr" | "delattr" | "getattr" as name), args=[first, key, *_]):
                if isinstance(first, ast.Name) and first.id in self._aliases:
                    yield Mark(node.lineno, "reaches into another module", name)
                if named_by_text(key, _leads_on):
                    yield Mark(node.lineno, "reaches for a name that is not written down", ast.unparse(key)[:40])
                elif isinstance(key, ast.Name | ast.Attribute | ast.Subscript):
                    yield Mark(node.lineno, "reaches for a name that is not written down", name, only_if_new=True)
            case ast.Call(args=[_, *_]) if self._resolved(node.func) in GETTERS:
                if not all(isinstance(one, ast.Constant) for one in node.args):
                    yield Mark(node.lineno, "reaches for a name that is not written down", "getter")
            case ast.Call(func=ast.Name(id="hash"), args=[ast.Constant() | ast.Name()]):
                yield Mark(node.lineno, "depends on chance", "hash", only_if_new=True)
            case ast.Call(func=ast.Name(id="id")):
                yield Mark(node.lineno, "depends on chance", "id", only_if_new=True)
            case ast.Call(func=ast.Name(id="dir"), args=[]):
                yield Mark(node.lineno, "reaches all names at once", "dir")
            case ast.Call(func=ast.Attribute(value=whose, attr="time"), args=[]) if "loop" in ast.unparse(whose):
                yield Mark(node.lineno, "depends on the clock", "loop.time", only_if_more=True)
            case ast.Compare(left=left, comparators=right) if any(map(_name_of_a_type, [left, *right])):
                yield Mark(node.lineno, "depends on where it runs", "a type's name", only_if_new=True)
            case ast.Call(args=args, keywords=words) if self._resolved(node.func) in COPYING:
                if len(args) > COPYING[self._resolved(node.func)] or words:
                    yield Mark(node.lineno, "reaches for a name that is not written down", "update_wrapper")
            case ast.Call(func=ast.Name(id="type"), args=[_, _, _]):
                yield Mark(node.lineno, "makes a class while it runs", "type", only_if_new=True)

    def _used(self, node: ast.Name | ast.Attribute) -> Iterator[Mark]:
        if isinstance(node, ast.Attribute) and node.attr in ATTRIBUTES:
            yield Mark(last_line(node), "reaches under the language", node.attr)
        if isinstance(node, ast.Attribute) and node.attr in TELLING_ATTRIBUTES:
            yield Mark(last_line(node), "depends on where it runs", node.attr, only_if_new=True)
        if isinstance(node.ctx, ast.Store | ast.Del):
            yield from self._written(node)
        if id(node) in self._inner:
            return  # the whole of a dotted name is looked at, once
        name = self._resolved(node)
        if name and isinstance(node.ctx, ast.Load):
            yield from by_name(last_line(node), name)
            if self._is_imported(node):
                yield from through(last_line(node), name)
            yield from self._by_way(node, name)

    def _by_way(self, node: ast.Name | ast.Attribute, name: str) -> Iterator[Mark]:
        """One module through another (`logging.os._exit`), and a module that is handed on under another name."""
        root, _, rest = name.partition(".")
        while rest:
            for mark in by_name(last_line(node), rest) if "." in rest else ():
                if not (mark.only_if_new or mark.only_if_more) or self._is_imported(node):
                    yield mark
            root, _, rest = rest.partition(".")
        if name in REACHING and id(node) not in self._called:
            yield Mark(node.lineno, "hands on what reaches for names", name)
        if self._is_imported(node) and (name in ROOTS or ("." in name and root in KEPT)):
            yield Mark(last_line(node), "hands on a module that leads to everything", name)

    def _is_imported(self, node: ast.Name | ast.Attribute) -> bool:
        first = node.id if isinstance(node, ast.Name) else root_of(node)
        return first in self._aliases

    def _written(self, node: ast.Name | ast.Attribute) -> Iterator[Mark]:
        name = node.id if isinstance(node, ast.Name) else node.attr
        if name in PRETENDING:
            yield Mark(node.lineno, "decides what its values are equal to or taken for", name)
        if isinstance(node, ast.Attribute) and (root := root_of(node)) is not None and root in self._aliases:
            yield Mark(last_line(node), "changes another module", ast.unparse(node))

    def _resolved(self, node: ast.expr) -> str:
        return resolved(node, self._aliases)


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
