"""The expressions that an edit may be built from at one place: names, attributes, items, conditions and calls in scope."""

import ast
from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import pairwise, permutations
from typing import TYPE_CHECKING

from whet.phases.propose.repair.grammar.kinds import Kind, Kinds
from whet.pyast.functions import parameters

if TYPE_CHECKING:
    from whet.phases.propose.repair.scope import Scope

_MOST_NAMES, _MOST_EXPRESSIONS, _MOST_CALLS, _LARGEST = 10, 24, 6, 60


class Vocabulary:
    """The expressions in scope at one statement, by kind, each as source text."""

    def __init__(self, scope: "Scope") -> None:
        self._scope = scope
        self._nodes: Sequence[ast.AST] = (
            scope.module.descendants(scope.function) if scope.function is not None else list(ast.walk(scope.statement))
        )
        self.kinds = _kinds_of(scope)

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Local names, the latest bound first, then attributes of `self` that the file uses."""
        inner = [node.id for node in ast.walk(self._scope.statement) if isinstance(node, ast.Name)]
        known = [name for name in self._scope.names() if name not in ("self", "cls")]
        local = sorted(dict.fromkeys(known), key=lambda name: name not in inner)[:_MOST_NAMES]
        own = self._scope.module.attributes.get("self", ()) if "self" in set(self._scope.names()) else ()
        return (*local, *(f"self.{name}" for name in own if self._is_data(name)))

    def _is_data(self, attribute: str) -> bool:
        return attribute not in self._scope.module.parameter_names and not attribute.startswith("__")

    def of(self, *kinds: Kind) -> list[str]:
        """Return the names of these kinds; those of unknown kind come last."""
        certain = [name for name, kind in self.by_name.items() if kind in kinds]
        return certain + [name for name, kind in self.by_name.items() if kind is Kind.UNKNOWN]

    @cached_property
    def by_name(self) -> dict[str, Kind]:
        return {name: self.kinds.of(ast.parse(name, mode="eval").body) for name in self.names}

    @cached_property
    def numbers(self) -> list[str]:
        """Names of numbers, then the lengths of collections."""
        lengths = [f"len({name})" for name in self.of(Kind.LIST, Kind.TEXT, Kind.MAPPING, Kind.SET)[:3]]
        return [*self.of(Kind.NUMBER), *lengths]

    @cached_property
    def positions(self) -> list[str]:
        """Expressions that may be an index: names, one more or less, and differences of two."""
        known = [name for name, kind in self.by_name.items() if kind is Kind.NUMBER][:5]
        near = [f"{name} {sign} 1" for name in known for sign in "-+"]
        return [*known, *near, *(f"{first} - {second}" for first, second in permutations(known[:4], 2))]

    @cached_property
    def items(self) -> list[str]:
        """Items of collections that the function subscripts, at likely positions: `values[end - size]`."""
        owners = [node.value for node in self._nodes if isinstance(node, ast.Subscript)]
        texts = dict.fromkeys(ast.unparse(owner) for owner in owners if isinstance(owner, ast.Name | ast.Attribute))
        known = [text for text in texts if text in self.names]
        return [f"{owner}[{position}]" for owner in known[:3] for position in self.positions]

    @cached_property
    def conditions(self) -> list[str]:
        """Conditions of the function, then simple ones about its names."""
        tests = [node.test for node in self._nodes if isinstance(node, ast.If | ast.While | ast.IfExp)]
        own = [self._scope.module.text(test) for test in tests if self._readable(test)]
        numbers, others = self.of(Kind.NUMBER)[:6], self.of(Kind.LIST, Kind.TEXT, Kind.MAPPING, Kind.SET)[:5]
        simple = [f"{name} {sign} 0" for name in numbers for sign in ("==", "<", ">", "<=")]
        simple += [f"not {name}" for name in others] + others
        simple += [f"{first} {sign} {second}" for first, second in permutations(numbers[:4], 2) for sign in ("<", "<=")]
        simple += [f"{first} == {second}" for first, second in pairwise(numbers)]
        return list(dict.fromkeys([*own, *simple]))

    def _readable(self, node: ast.AST) -> bool:
        """True if every name in a node is bound here."""
        bound = {*self._scope.names(), *self._scope.module.globals, *self._scope.module.functions, *_BUILTIN}
        inner = list(ast.walk(node))
        own = {name.id for name in inner if isinstance(name, ast.Name) and isinstance(name.ctx, ast.Store)}
        own |= {argument.arg for argument in inner if isinstance(argument, ast.arg)}
        return all(name.id in bound or name.id in own for name in inner if isinstance(name, ast.Name))

    @cached_property
    def expressions(self) -> dict[str, Kind]:
        """Other expressions of the function with their kinds: items, calls, operations and literals."""
        kinds = (ast.Subscript, ast.Call, ast.BinOp, ast.List, ast.Tuple, ast.Attribute)
        found = {}
        for node in self._nodes:
            if isinstance(node, kinds) and isinstance(getattr(node, "ctx", ast.Load()), ast.Load):
                text = self._scope.module.text(node)
                if len(text) <= _LARGEST and self._readable(node) and not self._is_callee(node):
                    found[text] = self.kinds.of(node)
        return dict(list(found.items())[:_MOST_EXPRESSIONS])

    def _is_callee(self, node: ast.expr) -> bool:
        parent = self._scope.module.parents.get(node)
        return (isinstance(parent, ast.Call) and node is parent.func) or isinstance(parent, ast.Starred)

    @cached_property
    def recursive_calls(self) -> list[str]:
        """Calls of the function itself, with its own parameters and arguments that other calls of it have."""
        function = self._scope.function
        calls = [node for node in self._nodes if isinstance(node, ast.Call) and self._calls_itself(node)]
        if function is None or not calls:
            return []
        names = [name for name in parameters(function.args) if name not in ("self", "cls")]
        callee, size = ast.unparse(calls[0].func), len(calls[0].args)
        first = [ast.unparse(argument) for argument in calls[0].args]
        made = []
        for place in range(size):
            others = [*names, *(ast.unparse(call.args[place]) for call in calls if len(call.args) > place), *self.names]
            made += [[*first[:place], other, *first[place + 1 :]] for other in others]
            made += [[*names[:place], other, *names[place + 1 :]] for other in others if len(names) == size]
        texts = dict.fromkeys(f"{callee}({', '.join(arguments)})" for arguments in made)
        return list(texts)[: _MOST_CALLS * max(size, 1)]

    def _calls_itself(self, node: ast.Call) -> bool:
        name = self._scope.function.name if self._scope.function is not None else ""
        return ast.unparse(node.func) in (name, f"self.{name}") and bool(node.args)

    def receivers(self) -> Iterator[tuple[str, str]]:
        """Yield (receiver, method) for the methods that the function or its class calls on names in scope."""
        inside = self._scope.module.enclosing(self._scope.function, ast.ClassDef) if self._scope.function else None
        nodes = self._scope.module.descendants(inside) if inside is not None else self._nodes
        seen: dict[tuple[str, str], None] = {}
        for node in nodes:
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
                owner = ast.unparse(node.func.value)
                if owner in self.names:
                    seen[owner, node.func.attr] = None
        for name, kind in self.by_name.items():
            if kind in _ADDING:
                seen[name, _ADDING[kind]] = None
        yield from list(seen)[:_MOST_NAMES]

    def scalars(self) -> list[str]:
        """Return the names that are not known to be collections."""
        collections = (Kind.LIST, Kind.SET, Kind.MAPPING)
        return [name for name, kind in self.by_name.items() if kind not in collections]


def _kinds_of(scope: "Scope") -> Kinds:
    known = scope.module.kinds
    if scope.function not in known:
        nodes = scope.module.descendants(scope.function) if scope.function is not None else ()
        known[scope.function] = Kinds(scope.function, nodes)
    return known[scope.function]


_ADDING = {Kind.LIST: "append", Kind.SET: "add"}
_BUILTIN = frozenset(
    ("len", "max", "min", "sum", "abs", "int", "str", "float", "list", "set", "dict", "tuple", "sorted", "range", "any",
     "all", "isinstance", "zip", "enumerate", "round", "reversed", "bool", "ord", "chr", "map", "filter")
)  # fmt: skip
