"""What the names of a file stand for: by import, by another name, in a container, as an argument, by their text.

Names are followed as far as the file itself says what they are. Nothing runs, so every value that a name is given
anywhere in its scope counts.
"""

import ast
import builtins
from collections.abc import Callable, Iterable, Iterator
from itertools import chain
from typing import Any, TypeVar

from whet.guard.content.imports import imported
from whet.guard.content.suspicious.scopes import Scopes, returns
from whet.guard.content.suspicious.vocabulary import GETTERS, SUBMODULES

# So many steps are taken to find out what one expression stands for.
_STEPS = 400
_DEEPEST = 40
_BUILT_IN = frozenset(dir(builtins))
# What comes out of these is what went in, or an element of it.
_SAME = frozenset({"copy.copy", "copy.deepcopy", "contextlib.nullcontext", "typing.cast"})
_AN_ELEMENT = frozenset({"next", "max", "min"})
_ELEMENTS = frozenset({"list", "tuple", "set", "frozenset", "iter", "reversed", "sorted", "dict", "zip", "enumerate"})
_OF_A_CONTAINER = frozenset({"get", "pop", "values", "items", "copy", "popitem", "setdefault", "popleft"})

_Found = TypeVar("_Found")


class Names:
    """`given` is followed always; what is `passed` as an argument or a default only where that is asked for."""

    def __init__(self, tree: ast.Module) -> None:
        self.imports = dict(imported(tree))
        self.modules = frozenset(_modules(tree))
        self._scopes = Scopes(tree)
        self._known: dict[tuple[str, int, bool], tuple[ast.expr, tuple[Any, ...]]] = {}
        self._open: set[tuple[str, int, bool]] = set()
        self._cut = False
        self._steps = 0
        self._returned: dict[str, list[ast.expr]] = {}
        self._parameters: dict[str, list[ast.arguments]] = {}
        for node in ast.walk(tree):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                self._parameters.setdefault(node.name, []).append(node.args)
                self._returned.setdefault(node.name, []).extend(_returned(node))
        for node in ast.walk(tree):
            self._bind(node)
        self._dropped = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}

    def is_dropped(self, node: ast.expr) -> bool:
        """Nobody looks at its value: it stands there for what it does, or for what it raises."""
        return id(node) in self._dropped

    def meanings(self, node: ast.expr, *, passed: bool = False) -> frozenset[str]:
        """The full names of what an expression may be: imported ones and built-in ones."""
        self._steps = _STEPS
        return frozenset(self._meanings(node, passed=passed))

    def foreign(self, node: ast.expr, *, passed: bool = False) -> list[str]:
        """Those that come from another module."""
        return sorted(name for name in self.meanings(node, passed=passed) if name.partition(".")[0] not in _BUILT_IN)

    def values(self, node: ast.expr, *, passed: bool = False) -> list[ast.expr]:
        """What a name or an attribute is given in its scope; anything else is its own value."""
        match node:
            case ast.Name(id=name):
                return self._scopes.values(name, node, passed=passed)
            case ast.Attribute(attr=name):
                return self._scopes.of_attribute(name)
        return [node]

    def is_parameter(self, node: ast.expr) -> bool:
        return isinstance(node, ast.Name) and self._scopes.is_parameter(node.id, node)

    def function_around(self, node: ast.AST) -> str:
        return self._scopes.function_around(node)

    def getters(self, node: ast.expr) -> Iterator[str]:
        """The texts by which what `operator.attrgetter` and its like made looks things up."""
        for value in self.values(node):
            match value:
                case ast.Call(func=func, args=[*args]) if self.meanings(func) & GETTERS:
                    yield from (
                        one.value for one in args if isinstance(one, ast.Constant) and isinstance(one.value, str)
                    )

    def _meanings(self, node: ast.expr, *, passed: bool) -> tuple[str, ...]:
        return self._once("meanings", node, self._every_meaning, passed=passed)

    def _items(self, node: ast.expr, *, passed: bool) -> tuple[ast.expr, ...]:
        return self._once("items", node, self._every_item, passed=passed)

    def _once(
        self, kind: str, node: ast.expr, find: Callable[..., Iterable[_Found]], *, passed: bool
    ) -> tuple[_Found, ...]:
        """Names may stand for each other in a circle: it is cut, and what was found beyond a cut is not kept."""
        key = kind, id(node), passed
        if key in self._known:
            return self._known[key][1]
        if key in self._open or self._steps <= 0 or len(self._open) >= _DEEPEST:
            self._cut = True
            return ()
        self._steps -= 1
        self._open.add(key)
        before, self._cut = self._cut, False
        found = tuple(dict.fromkeys(find(node, passed=passed)))
        self._open.discard(key)
        if not self._cut or not self._open:
            self._known[key] = node, found
        self._cut = bool(self._open) and (self._cut or before)
        return found

    def _every_meaning(self, node: ast.expr, *, passed: bool) -> Iterator[str]:
        match node:
            case ast.Name(id=name):
                yield from self._of_name(node, name, passed=passed)
            case ast.Attribute(value=value, attr=name):
                wholes = set(self._meanings(value, passed=passed))
                yield from (f"{whole}.{name}" for whole in wholes)
                if not wholes:
                    yield from self._union(self._scopes.of_attribute(name), passed=passed)
            case ast.Subscript(value=value):
                yield from self._union(self._items(value, passed=passed), passed=passed)
            case ast.IfExp(body=one, orelse=other):
                yield from self._union((one, other), passed=passed)
            case ast.BoolOp(values=values):
                yield from self._union(values, passed=passed)
            case ast.NamedExpr(value=value) | ast.Starred(value=value) | ast.Await(value=value):
                yield from self._meanings(value, passed=passed)
            case ast.Call(func=func, args=args):
                yield from self._of_call(func, args, passed=passed)

    def _of_name(self, node: ast.Name, name: str, *, passed: bool) -> Iterator[str]:
        known = self._scopes.is_bound(name, node)
        if name in self.imports and not self._scopes.is_parameter(name, node):
            yield self.imports[name]
        elif not known and name in _BUILT_IN:
            yield name
        if known:
            yield from self._union(self._scopes.values(name, node, passed=passed), passed=passed)

    def _of_call(self, func: ast.expr, args: list[ast.expr], *, passed: bool) -> Iterator[str]:
        called = set(self._meanings(func, passed=passed))
        match func, args:
            case _, [first, ast.Constant(value=str() as name), *_] if "getattr" in called:
                yield from (f"{whole}.{name}" for whole in self._meanings(first, passed=passed))
            case _, [first] if not called:
                for name in self.getters(func):
                    yield from (f"{whole}.{name}" for whole in self._meanings(first, passed=passed))
        if called & _SAME:
            yield from self._union(args, passed=passed)
        if called & _AN_ELEMENT:
            yield from self._union(chain(args, *(self._items(one, passed=passed) for one in args)), passed=passed)
        if isinstance(func, ast.Attribute) and func.attr in _OF_A_CONTAINER:
            yield from self._union(self._items(func.value, passed=passed), passed=passed)
        yield from self._union(self._returned.get(_last(func), ()), passed=passed)

    def _union(self, nodes: Iterable[ast.expr], *, passed: bool) -> Iterator[str]:
        for node in nodes:
            yield from self._meanings(node, passed=passed)

    def _every_item(self, node: ast.expr, *, passed: bool) -> Iterable[ast.expr]:
        """The elements of what is written down as a container."""
        match node:
            case ast.Tuple(elts=elements) | ast.List(elts=elements) | ast.Set(elts=elements):
                return elements
            case ast.Dict(values=values):
                return values
            case ast.ListComp(elt=element) | ast.SetComp(elt=element) | ast.GeneratorExp(elt=element):
                return [element]
            case ast.Name() | ast.Attribute():
                inner: Iterable[ast.expr] = self.values(node, passed=passed)
            case ast.Subscript(value=value):
                inner = self._items(value, passed=passed)
            case ast.Call(func=ast.Name(id=name), args=args, keywords=words) if name in _ELEMENTS | _AN_ELEMENT:
                return [*chain(*(self._items(one, passed=passed) for one in args)), *(one.value for one in words)]
            case ast.Call(func=ast.Attribute(value=value, attr=name)) if name in _OF_A_CONTAINER:
                return self._items(value, passed=passed)
            case _:
                return []
        return [*chain(*(self._items(one, passed=passed) for one in inner))]

    def _bind(self, node: ast.AST) -> None:
        match node:
            case ast.Assign(targets=targets, value=value):
                for target in targets:
                    self._scopes.bind(target, value)
            case ast.AnnAssign(target=target, value=ast.expr() as value) | ast.NamedExpr(target=target, value=value):
                self._scopes.bind(target, value)
            case ast.For(target=target, iter=value) | ast.AsyncFor(target=target, iter=value):
                self._scopes.bind(target, element_of(value))
            case ast.comprehension(target=target, iter=value):
                self._scopes.bind(target, element_of(value))
            case ast.withitem(context_expr=value, optional_vars=ast.expr() as target):
                self._scopes.bind(target, value)
            case ast.FunctionDef(args=args) | ast.AsyncFunctionDef(args=args) | ast.Lambda(args=args):
                self._defaults(args)
            case ast.Call():
                self._arguments(node)

    def _defaults(self, args: ast.arguments) -> None:
        places = [*args.posonlyargs, *args.args]
        for place, value in zip(reversed(places), reversed(args.defaults), strict=False):
            self._scopes.pass_on(place, value)
        for place, given in zip(args.kwonlyargs, args.kw_defaults, strict=True):
            if given is not None:
                self._scopes.pass_on(place, given)

    def _arguments(self, call: ast.Call) -> None:
        """What a function of this file is called with, wherever that is plain to see."""
        for args in self._parameters.get(_last(call.func), ()):
            places = [*args.posonlyargs, *args.args]
            if isinstance(call.func, ast.Attribute) and places and places[0].arg in ("self", "cls"):
                places = places[1:]
            for place, value in zip(places, call.args, strict=False):
                self._scopes.pass_on(place, value)
            by_name = {place.arg: place for place in (*places, *args.kwonlyargs)}
            for word in call.keywords:
                if word.arg in by_name:
                    self._scopes.pass_on(by_name[word.arg], word.value)


def element_of(container: ast.expr) -> ast.expr:
    found = ast.Subscript(value=container, slice=ast.Constant(value=0), ctx=ast.Load())
    return ast.copy_location(found, container)


def _modules(tree: ast.Module) -> Iterator[str]:
    """The names that are bound to modules for sure."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.asname or alias.name.partition(".")[0] for alias in node.names)
        if isinstance(node, ast.ImportFrom) and node.level == 0:
            yield from (
                alias.asname or alias.name for alias in node.names if f"{node.module}.{alias.name}" in SUBMODULES
            )


def _returned(function: ast.FunctionDef | ast.AsyncFunctionDef) -> Iterator[ast.expr]:
    return (node.value for node in returns(function) if node.value is not None)


def _last(node: ast.expr) -> str:
    return node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else ""
