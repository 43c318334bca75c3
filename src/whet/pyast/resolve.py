"""The full names that the expressions of a file may stand for, followed through imports, assignments and calls.

Nothing runs, so every value that a name is assigned anywhere in its scope counts, in whatever order.
"""

import ast
import builtins
from collections.abc import Callable, Iterable, Iterator
from typing import Any, TypeVar

from whet.pyast.functions import Function, defaults, own_returns
from whet.pyast.imports import import_bindings, last_name, module_names
from whet.pyast.scopes import Scopes

# Limits for one question: a hostile file must not be able to keep whet busy.
_MOST_STEPS = 400
_DEEPEST = 40
_BUILT_IN = frozenset(dir(builtins))
# Calls that look attributes up by their text.
GETTERS = frozenset({"operator.attrgetter", "operator.methodcaller"})
# Calls that return their argument, or an element of it.
_RETURN_ARGUMENT = frozenset({"copy.copy", "copy.deepcopy", "contextlib.nullcontext", "typing.cast"})
_RETURN_ELEMENT = frozenset({"next", "max", "min"})
_KEEP_ELEMENTS = frozenset({
    "list", "tuple", "set", "frozenset", "iter", "reversed", "sorted", "dict", "zip", "enumerate",
})  # fmt: skip
_CONTAINER_METHODS = frozenset({"get", "pop", "values", "items", "copy", "popitem", "setdefault", "popleft"})

_Result = TypeVar("_Result")
_Key = tuple[str, int, bool]


class NameResolver:
    """Answers what the expressions of one file stand for.

    Assigned values are always followed. With `passed=True` arguments of calls and defaults of parameters are too.
    """

    def __init__(self, tree: ast.Module) -> None:
        self.imports = dict(import_bindings(tree))
        self.modules = frozenset(module_names(tree))
        self._scopes = Scopes(tree)
        # A result is kept with its node: the key is the node's id, which must not be used for another node meanwhile.
        self._cache: dict[_Key, tuple[ast.expr, tuple[Any, ...]]] = {}
        self._open: set[_Key] = set()
        self._is_cut = False
        self._steps_left = 0
        self._returned: dict[str, list[ast.expr]] = {}
        self._parameters: dict[str, list[ast.arguments]] = {}
        for node in ast.walk(tree):
            if isinstance(node, Function):
                self._parameters.setdefault(node.name, []).append(node.args)
                returned = [statement.value for statement in own_returns(node) if statement.value is not None]
                self._returned.setdefault(node.name, []).extend(returned)
        for node in ast.walk(tree):
            self._bind(node)
        self._discarded = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}

    def is_discarded(self, node: ast.expr) -> bool:
        """True if nothing uses the value of `node`: it is a statement of its own."""
        return id(node) in self._discarded

    def meanings(self, node: ast.expr, *, passed: bool = False) -> frozenset[str]:
        """Return the full names that `node` may stand for: imported names and built-in ones."""
        self._steps_left = _MOST_STEPS
        return frozenset(self._meanings(node, passed=passed))

    def foreign(self, node: ast.expr, *, passed: bool = False) -> list[str]:
        """Return the meanings of `node` that belong to another module, sorted."""
        return sorted(name for name in self.meanings(node, passed=passed) if name.partition(".")[0] not in _BUILT_IN)

    def values(self, node: ast.expr, *, passed: bool = False) -> list[ast.expr]:
        """Return the values that a name or attribute is assigned; any other expression is its own value."""
        match node:
            case ast.Name(id=name):
                return self._scopes.values(name, node, passed=passed)
            case ast.Attribute(attr=name):
                return self._scopes.attribute_values(name)
        return [node]

    def is_parameter(self, node: ast.expr) -> bool:
        return isinstance(node, ast.Name) and self._scopes.is_parameter(node.id, node)

    def enclosing_function(self, node: ast.AST) -> str:
        return self._scopes.enclosing_function(node)

    def getter_texts(self, node: ast.expr) -> Iterator[str]:
        """Yield the attribute paths that `node` looks up, if it is a getter (`operator.attrgetter("a.b")`)."""
        for value in self.values(node):
            match value:
                case ast.Call(func=func, args=args) if self.meanings(func) & GETTERS:
                    for argument in args:
                        if isinstance(argument, ast.Constant) and isinstance(argument.value, str):
                            yield argument.value

    def _meanings(self, node: ast.expr, *, passed: bool) -> tuple[str, ...]:
        return self._cached("meanings", node, self._find_meanings, passed=passed)

    def _items(self, node: ast.expr, *, passed: bool) -> tuple[ast.expr, ...]:
        return self._cached("items", node, self._find_items, passed=passed)

    def _cached(
        self, kind: str, node: ast.expr, find: Callable[..., Iterable[_Result]], *, passed: bool
    ) -> tuple[_Result, ...]:
        """Return the distinct results of `find`, computed once per node.

        Names may stand for each other in a circle. Such a search is cut, and a result that a cut may have made
        incomplete is not kept, because the same question from another side could find more.
        """
        key = kind, id(node), passed
        if key in self._cache:
            return self._cache[key][1]
        if key in self._open or self._steps_left <= 0 or len(self._open) >= _DEEPEST:
            self._is_cut = True
            return ()
        self._steps_left -= 1
        self._open.add(key)
        was_cut, self._is_cut = self._is_cut, False
        results = tuple(dict.fromkeys(find(node, passed=passed)))
        self._open.discard(key)
        if not self._is_cut or not self._open:
            self._cache[key] = node, results
        self._is_cut = bool(self._open) and (self._is_cut or was_cut)
        return results

    def _find_meanings(self, node: ast.expr, *, passed: bool) -> Iterator[str]:
        match node:
            case ast.Name(id=name):
                yield from self._name_meanings(node, name, passed=passed)
            case ast.Attribute(value=value, attr=name):
                owners = set(self._meanings(value, passed=passed))
                yield from (f"{owner}.{name}" for owner in owners)
                if not owners:
                    yield from self._all_meanings(self._scopes.attribute_values(name), passed=passed)
            case ast.Subscript(value=value):
                yield from self._all_meanings(self._items(value, passed=passed), passed=passed)
            case ast.IfExp(body=body, orelse=orelse):
                yield from self._all_meanings((body, orelse), passed=passed)
            case ast.BoolOp(values=values):
                yield from self._all_meanings(values, passed=passed)
            case ast.NamedExpr(value=value) | ast.Starred(value=value) | ast.Await(value=value):
                yield from self._meanings(value, passed=passed)
            case ast.Call(func=func, args=args):
                yield from self._call_meanings(func, args, passed=passed)

    def _name_meanings(self, node: ast.Name, name: str, *, passed: bool) -> Iterator[str]:
        is_bound = self._scopes.is_bound(name, node)
        if name in self.imports and not self._scopes.is_parameter(name, node):
            yield self.imports[name]
        elif not is_bound and name in _BUILT_IN:
            yield name
        if is_bound:
            yield from self._all_meanings(self._scopes.values(name, node, passed=passed), passed=passed)

    def _call_meanings(self, func: ast.expr, args: list[ast.expr], *, passed: bool) -> Iterator[str]:
        called = set(self._meanings(func, passed=passed))
        match args:
            case [first, ast.Constant(value=str() as name), *_] if "getattr" in called:
                yield from (f"{owner}.{name}" for owner in self._meanings(first, passed=passed))
            case [first] if not called:
                for name in self.getter_texts(func):
                    yield from (f"{owner}.{name}" for owner in self._meanings(first, passed=passed))
        if called & _RETURN_ARGUMENT:
            yield from self._all_meanings(args, passed=passed)
        if called & _RETURN_ELEMENT:
            items = [item for arg in args for item in self._items(arg, passed=passed)]
            yield from self._all_meanings([*args, *items], passed=passed)
        if isinstance(func, ast.Attribute) and func.attr in _CONTAINER_METHODS:
            yield from self._all_meanings(self._items(func.value, passed=passed), passed=passed)
        yield from self._all_meanings(self._returned.get(last_name(func), ()), passed=passed)

    def _all_meanings(self, nodes: Iterable[ast.expr], *, passed: bool) -> Iterator[str]:
        for node in nodes:
            yield from self._meanings(node, passed=passed)

    def _find_items(self, node: ast.expr, *, passed: bool) -> Iterable[ast.expr]:
        """Return the elements of a container as far as they are written down."""
        match node:
            case ast.Tuple(elts=elements) | ast.List(elts=elements) | ast.Set(elts=elements):
                return elements
            case ast.Dict(values=values):
                return values
            case ast.ListComp(elt=element) | ast.SetComp(elt=element) | ast.GeneratorExp(elt=element):
                return [element]
            case ast.Name() | ast.Attribute():
                containers: Iterable[ast.expr] = self.values(node, passed=passed)
            case ast.Subscript(value=value):
                containers = self._items(value, passed=passed)
            case ast.Call(func=ast.Name(id=name), args=args, keywords=keywords) if (
                name in _KEEP_ELEMENTS | _RETURN_ELEMENT
            ):
                items = [item for arg in args for item in self._items(arg, passed=passed)]
                return [*items, *(keyword.value for keyword in keywords)]
            case ast.Call(func=ast.Attribute(value=value, attr=name)) if name in _CONTAINER_METHODS:
                return self._items(value, passed=passed)
            case _:
                return []
        return [item for container in containers for item in self._items(container, passed=passed)]

    def _bind(self, node: ast.AST) -> None:
        """Note the values that one node gives to names, attributes or parameters."""
        match node:
            case ast.Assign(targets=targets, value=value):
                for target in targets:
                    self._scopes.bind(target, value)
            case ast.AnnAssign(target=target, value=ast.expr() as value) | ast.NamedExpr(target=target, value=value):
                self._scopes.bind(target, value)
            case ast.For(target=target, iter=value) | ast.AsyncFor(target=target, iter=value):
                self._scopes.bind(target, _element_of(value))
            case ast.comprehension(target=target, iter=value):
                self._scopes.bind(target, _element_of(value))
            case ast.withitem(context_expr=value, optional_vars=ast.expr() as target):
                self._scopes.bind(target, value)
            case ast.FunctionDef(args=args) | ast.AsyncFunctionDef(args=args) | ast.Lambda(args=args):
                for parameter, default in defaults(args):
                    self._scopes.pass_on(parameter, default)
            case ast.Call():
                self._bind_arguments(node)

    def _bind_arguments(self, call: ast.Call) -> None:
        """Note the arguments of a call under the parameters of every function of this file that has its name."""
        for args in self._parameters.get(last_name(call.func), ()):
            positional = [*args.posonlyargs, *args.args]
            if isinstance(call.func, ast.Attribute) and positional and positional[0].arg in ("self", "cls"):
                positional = positional[1:]
            for parameter, value in zip(positional, call.args, strict=False):
                self._scopes.pass_on(parameter, value)
            by_name = {parameter.arg: parameter for parameter in (*positional, *args.kwonlyargs)}
            for keyword in call.keywords:
                if keyword.arg in by_name:
                    self._scopes.pass_on(by_name[keyword.arg], keyword.value)


def _element_of(container: ast.expr) -> ast.expr:
    element = ast.Subscript(value=container, slice=ast.Constant(value=0), ctx=ast.Load())
    return ast.copy_location(element, container)
