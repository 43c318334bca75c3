"""Which values a name of a file is given, in the scope in which it is used."""

import ast
from collections.abc import Iterator

FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
_WHOLE_FILE = 0


class Scopes:
    """A function is a scope; the rest of a file, its classes too, is another one."""

    def __init__(self, tree: ast.Module) -> None:
        self._home: dict[int, int] = {}
        self._outer: dict[int, int] = {}
        self._called: dict[int, str] = {_WHOLE_FILE: ""}
        self._bound: dict[int, set[str]] = {_WHOLE_FILE: set()}
        self._parameters: dict[int, set[str]] = {_WHOLE_FILE: set()}
        self._given: dict[tuple[int, str], list[ast.expr]] = {}
        self._passed: dict[tuple[int, str], list[ast.expr]] = {}
        self._attributes: dict[str, list[ast.expr]] = {}
        self._place(tree)

    def bind(self, target: ast.expr, value: ast.expr) -> None:
        match target:
            case ast.Name(id=name):
                home = self._scope_of(name, target)
                self._given.setdefault((home, name), []).append(value)
                if home == _WHOLE_FILE:  # an attribute of its class, perhaps
                    self._attributes.setdefault(name, []).append(value)
            case ast.Attribute(attr=name):
                self._attributes.setdefault(name, []).append(value)
            case ast.Starred(value=inner):
                self.bind(inner, value)
            case ast.Tuple(elts=targets) | ast.List(elts=targets):
                self._bind_each(targets, value)

    def pass_on(self, parameter: ast.arg, value: ast.expr) -> None:
        self._passed.setdefault((self._home[id(parameter)], parameter.arg), []).append(value)

    def values(self, name: str, node: ast.AST, *, passed: bool) -> list[ast.expr]:
        key = self._scope_of(name, node), name
        return [*self._given.get(key, []), *(self._passed.get(key, []) if passed else [])]

    def of_attribute(self, name: str) -> list[ast.expr]:
        return self._attributes.get(name, [])

    def is_bound(self, name: str, node: ast.AST) -> bool:
        return name in self._bound[self._scope_of(name, node)]

    def is_parameter(self, name: str, node: ast.AST) -> bool:
        return name in self._parameters[self._scope_of(name, node)]

    def function_around(self, node: ast.AST) -> str:
        return self._called[self._home.get(id(node), _WHOLE_FILE)]

    def _scope_of(self, name: str, node: ast.AST) -> int:
        home = self._home.get(id(node), _WHOLE_FILE)
        while home != _WHOLE_FILE and name not in self._bound[home]:
            home = self._outer[home]
        return home

    def _bind_each(self, targets: list[ast.expr], value: ast.expr) -> None:
        fits = isinstance(value, ast.Tuple | ast.List) and len(value.elts) == len(targets)
        starred = any(isinstance(one, ast.Starred) for one in targets)
        for place, target in enumerate(targets):
            if fits and not starred and isinstance(value, ast.Tuple | ast.List):
                self.bind(target, value.elts[place])
            else:
                one = ast.Subscript(value=value, slice=ast.Constant(value=place), ctx=ast.Load())
                self.bind(target, ast.copy_location(one, value))

    def _place(self, tree: ast.Module) -> None:
        left: list[tuple[ast.AST, int]] = [(tree, _WHOLE_FILE)]
        elsewhere: set[tuple[int, str]] = set()
        while left:
            node, home = left.pop()
            self._home[id(node)] = home
            if isinstance(node, FUNCTIONS):
                left.extend(self._parts(node, home))
                continue
            match node:
                case ast.Global(names=names) | ast.Nonlocal(names=names):
                    elsewhere.update((home, name) for name in names)
                    self._bound[_WHOLE_FILE].update(names)
                case ast.Name(id=name, ctx=ast.Store()):
                    self._bound[home].add(name)
                case ast.arg(arg=name):
                    self._bound[home].add(name)
                    self._parameters[home].add(name)
                case ast.ClassDef(name=name):
                    self._bound[home].add(name)
            left.extend((child, home) for child in ast.iter_child_nodes(node))
        for home, name in elsewhere:
            self._bound[home].discard(name)

    def _parts(self, node: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda, home: int) -> list[tuple[ast.AST, int]]:
        """Its parameters and its body are inside; decorators, defaults and annotations are not."""
        inside = id(node)
        self._outer[inside] = home
        self._called[inside] = "" if isinstance(node, ast.Lambda) else node.name
        self._bound[inside], self._parameters[inside] = set(), set()
        if not isinstance(node, ast.Lambda):
            self._bound[home].add(node.name)
        args = node.args
        every = [*args.posonlyargs, *args.args, *args.kwonlyargs, *filter(None, (args.vararg, args.kwarg))]
        body: list[ast.AST] = [node.body] if isinstance(node, ast.Lambda) else [*node.body]
        own = {id(one) for one in (*every, *body)}
        around = [one for one in ast.iter_child_nodes(node) if id(one) not in own and one is not args]
        around += [*args.defaults, *filter(None, args.kw_defaults)]
        return [*((one, inside) for one in (*every, *body)), *((one, home) for one in around)]


def returns(function: ast.FunctionDef | ast.AsyncFunctionDef) -> Iterator[ast.Return]:
    """Its own, and not those of the functions inside it."""
    inside = [node for part in function.body for node in ast.walk(part)]
    others = {id(one) for node in inside if isinstance(node, FUNCTIONS) for one in ast.walk(node)}
    return (node for node in inside if isinstance(node, ast.Return) and id(node) not in others)
