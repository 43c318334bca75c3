"""The values that each name of a file is given, scope by scope."""

import ast

from whet.pyast.functions import Function

_WHOLE_FILE = 0


class Scopes:
    """The scopes of one file and the values bound in them.

    Every function is a scope of its own. The rest of the file, class bodies included, is one scope, so that an
    attribute of a class is found under its plain name too.
    """

    def __init__(self, tree: ast.Module) -> None:
        # Scopes are numbered by the id of their function; `_scope` maps the id of a node to the scope it stands in.
        self._scope: dict[int, int] = {}
        self._outer: dict[int, int] = {}
        self._function_names: dict[int, str] = {_WHOLE_FILE: ""}
        self._bound: dict[int, set[str]] = {_WHOLE_FILE: set()}
        self._parameters: dict[int, set[str]] = {_WHOLE_FILE: set()}
        self._assigned: dict[tuple[int, str], list[ast.expr]] = {}
        self._passed: dict[tuple[int, str], list[ast.expr]] = {}
        self._attributes: dict[str, list[ast.expr]] = {}
        self._assign_nodes_to_scopes(tree)

    def bind(self, target: ast.expr, value: ast.expr) -> None:
        """Note that `target` is assigned `value`; tuples are taken apart."""
        match target:
            case ast.Name(id=name):
                scope = self._scope_binding(name, target)
                self._assigned.setdefault((scope, name), []).append(value)
                if scope == _WHOLE_FILE:  # it may be an attribute of its class
                    self._attributes.setdefault(name, []).append(value)
            case ast.Attribute(attr=name):
                self._attributes.setdefault(name, []).append(value)
            case ast.Starred(value=inner):
                self.bind(inner, value)
            case ast.Tuple(elts=targets) | ast.List(elts=targets):
                self._bind_each(targets, value)

    def pass_on(self, parameter: ast.arg, value: ast.expr) -> None:
        """Note that `parameter` is given `value`, as a default or by a call."""
        self._passed.setdefault((self._scope[id(parameter)], parameter.arg), []).append(value)

    def values(self, name: str, node: ast.AST, *, passed: bool) -> list[ast.expr]:
        """Return the values assigned to `name` as seen from `node`; with `passed` also those given to a parameter."""
        key = self._scope_binding(name, node), name
        return [*self._assigned.get(key, []), *(self._passed.get(key, []) if passed else [])]

    def attribute_values(self, name: str) -> list[ast.expr]:
        """Return the values assigned to an attribute of this name, whatever object it is an attribute of."""
        return self._attributes.get(name, [])

    def is_bound(self, name: str, node: ast.AST) -> bool:
        return name in self._bound[self._scope_binding(name, node)]

    def is_parameter(self, name: str, node: ast.AST) -> bool:
        return name in self._parameters[self._scope_binding(name, node)]

    def enclosing_function(self, node: ast.AST) -> str:
        """Return the name of the function that `node` stands in; empty for a lambda and outside of functions."""
        return self._function_names[self._scope.get(id(node), _WHOLE_FILE)]

    def _scope_binding(self, name: str, node: ast.AST) -> int:
        """Return the innermost scope around `node` that binds `name`, else the whole file."""
        scope = self._scope.get(id(node), _WHOLE_FILE)
        while scope != _WHOLE_FILE and name not in self._bound[scope]:
            scope = self._outer[scope]
        return scope

    def _bind_each(self, targets: list[ast.expr], value: ast.expr) -> None:
        """Bind the targets of `a, b = value`: element by element if both sides have as many, else by subscripts."""
        starred = any(isinstance(target, ast.Starred) for target in targets)
        matches = isinstance(value, ast.Tuple | ast.List) and len(value.elts) == len(targets) and not starred
        for index, target in enumerate(targets):
            if matches and isinstance(value, ast.Tuple | ast.List):
                self.bind(target, value.elts[index])
            else:
                element = ast.Subscript(value=value, slice=ast.Constant(value=index), ctx=ast.Load())
                self.bind(target, ast.copy_location(element, value))

    def _assign_nodes_to_scopes(self, tree: ast.Module) -> None:
        pending: list[tuple[ast.AST, int]] = [(tree, _WHOLE_FILE)]
        declared_outside: set[tuple[int, str]] = set()
        while pending:
            node, scope = pending.pop()
            self._scope[id(node)] = scope
            if isinstance(node, Function | ast.Lambda):
                pending.extend(self._open_function(node, scope))
                continue
            match node:
                case ast.Global(names=names) | ast.Nonlocal(names=names):
                    declared_outside.update((scope, name) for name in names)
                    self._bound[_WHOLE_FILE].update(names)
                case ast.Name(id=name, ctx=ast.Store()):
                    self._bound[scope].add(name)
                case ast.arg(arg=name):
                    self._bound[scope].add(name)
                    self._parameters[scope].add(name)
                case ast.ClassDef(name=name):
                    self._bound[scope].add(name)
            pending.extend((child, scope) for child in ast.iter_child_nodes(node))
        for scope, name in declared_outside:
            self._bound[scope].discard(name)

    def _open_function(self, node: Function | ast.Lambda, scope: int) -> list[tuple[ast.AST, int]]:
        """Open the scope of a function that stands in `scope`; return its parts, each with the scope it belongs to.

        Parameters and body are inside; decorators, defaults and annotations are evaluated outside.
        """
        inner = id(node)
        self._outer[inner] = scope
        self._function_names[inner] = "" if isinstance(node, ast.Lambda) else node.name
        self._bound[inner], self._parameters[inner] = set(), set()
        if not isinstance(node, ast.Lambda):
            self._bound[scope].add(node.name)
        args = node.args
        inside: list[ast.AST] = [*args.posonlyargs, *args.args, *args.kwonlyargs]
        inside += [variadic for variadic in (args.vararg, args.kwarg) if variadic is not None]
        inside += [node.body] if isinstance(node, ast.Lambda) else node.body
        inside_ids = {id(part) for part in inside}
        outside = [part for part in ast.iter_child_nodes(node) if id(part) not in inside_ids and part is not args]
        outside += [*args.defaults, *(default for default in args.kw_defaults if default is not None)]
        return [*((part, inner) for part in inside), *((part, scope) for part in outside)]
