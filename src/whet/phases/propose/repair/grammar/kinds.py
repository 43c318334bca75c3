"""Guess what kind of value an expression has: from literals, annotations, operators, and how its names are used."""

import ast
from collections import defaultdict
from collections.abc import Iterable
from enum import StrEnum

from whet.pyast.functions import Function, defaults


class Kind(StrEnum):
    """A kind of value, as far as edits tell them apart."""

    NUMBER = "number"
    TEXT = "text"
    LIST = "list"
    SET = "set"
    MAPPING = "mapping"
    TRUTH = "truth"
    NOTHING = "nothing"
    UNKNOWN = "unknown"


_BY_CALL = {
    "len": Kind.NUMBER, "int": Kind.NUMBER, "float": Kind.NUMBER, "abs": Kind.NUMBER, "sum": Kind.NUMBER,
    "round": Kind.NUMBER, "ord": Kind.NUMBER, "str": Kind.TEXT, "repr": Kind.TEXT, "chr": Kind.TEXT, "list": Kind.LIST,
    "sorted": Kind.LIST, "tuple": Kind.LIST, "set": Kind.SET, "frozenset": Kind.SET, "dict": Kind.MAPPING,
    "any": Kind.TRUTH, "all": Kind.TRUTH, "isinstance": Kind.TRUTH, "bool": Kind.TRUTH, "deque": Kind.LIST,
}  # fmt: skip
_BY_METHOD = {
    "append": Kind.LIST, "extend": Kind.LIST, "insert": Kind.LIST, "popleft": Kind.LIST, "sort": Kind.LIST,
    "add": Kind.SET, "discard": Kind.SET, "items": Kind.MAPPING, "keys": Kind.MAPPING, "values": Kind.MAPPING,
    "get": Kind.MAPPING, "setdefault": Kind.MAPPING, "split": Kind.TEXT, "strip": Kind.TEXT, "lower": Kind.TEXT,
    "upper": Kind.TEXT, "startswith": Kind.TEXT, "endswith": Kind.TEXT, "partition": Kind.TEXT, "join": Kind.TEXT,
}  # fmt: skip
_RESULT_OF_METHOD = {
    "split": Kind.LIST, "splitlines": Kind.LIST, "strip": Kind.TEXT, "lower": Kind.TEXT, "upper": Kind.TEXT,
    "join": Kind.TEXT, "replace": Kind.TEXT, "find": Kind.NUMBER, "rfind": Kind.NUMBER, "index": Kind.NUMBER,
    "count": Kind.NUMBER, "startswith": Kind.TRUTH, "endswith": Kind.TRUTH, "isdigit": Kind.TRUTH, "copy": Kind.UNKNOWN,
}  # fmt: skip
_BY_ANNOTATION = {
    "int": Kind.NUMBER, "float": Kind.NUMBER, "str": Kind.TEXT, "list": Kind.LIST, "List": Kind.LIST, "tuple": Kind.LIST,
    "Sequence": Kind.LIST, "Iterable": Kind.LIST, "set": Kind.SET, "dict": Kind.MAPPING, "Mapping": Kind.MAPPING,
    "bool": Kind.TRUTH,
}  # fmt: skip
_ROUNDS = 2


class Kinds:
    """The kinds of the expressions of one function. Names are told apart by their text alone."""

    def __init__(self, function: Function | None, nodes: Iterable[ast.AST]) -> None:
        self._names: dict[str, Kind] = {}
        nodes = list(nodes)
        if function is not None:
            self._read_parameters(function)
        for _ in range(_ROUNDS):  # the second round knows what the first found out about later lines
            votes: dict[str, dict[Kind, int]] = defaultdict(lambda: defaultdict(int))
            for node in nodes:
                for name, kind in self._evidence(node):
                    votes[name][kind] += kind is not Kind.UNKNOWN
            for name, counts in votes.items():
                best = max(counts, key=lambda kind: counts[kind])
                if counts[best]:
                    self._names.setdefault(name, best)

    def of(self, node: ast.expr) -> Kind:
        """Return the kind of an expression."""
        match node:
            case ast.Name() | ast.Attribute():
                return self._names.get(ast.unparse(node), Kind.UNKNOWN)
            case ast.Constant(value=value):
                return _of_value(value)
            case ast.List() | ast.ListComp() | ast.Tuple():
                return Kind.LIST
            case ast.Set() | ast.SetComp():
                return Kind.SET
            case ast.Dict() | ast.DictComp():
                return Kind.MAPPING
            case ast.JoinedStr():
                return Kind.TEXT
            case ast.Compare() | ast.UnaryOp(op=ast.Not()):
                return Kind.TRUTH
            case ast.UnaryOp():
                return Kind.NUMBER
            case ast.Subscript(value=value, slice=ast.Slice()):
                return self.of(value)
            case ast.Subscript(value=value) if self.of(value) is Kind.TEXT:
                return Kind.TEXT
        return self._of_operation(node)

    def _of_operation(self, node: ast.expr) -> Kind:
        match node:
            case ast.BinOp(op=ast.Sub() | ast.Div() | ast.FloorDiv() | ast.Pow() | ast.LShift() | ast.RShift()):
                return Kind.SET if self.of(node.left) is Kind.SET else Kind.NUMBER
            case ast.BinOp(left=left, right=right):
                return self.of(left) if self.of(left) is not Kind.UNKNOWN else self.of(right)
            case ast.BoolOp(values=values):
                return self.of(values[-1])
            case ast.IfExp(body=body):
                return self.of(body)
            case ast.Call(func=ast.Name(id="max" | "min"), args=[first, *_]):
                return self.of(first)
            case ast.Call(func=ast.Name(id=name)):
                return _BY_CALL.get(name, Kind.UNKNOWN)
            case ast.Call(func=ast.Attribute(attr=name)):
                return _RESULT_OF_METHOD.get(name, Kind.UNKNOWN)
        return Kind.UNKNOWN

    def _read_parameters(self, function: Function) -> None:
        for argument in (*function.args.posonlyargs, *function.args.args, *function.args.kwonlyargs):
            if argument.annotation is not None:
                name = ast.unparse(argument.annotation).partition("[")[0].partition(" |")[0].rpartition(".")[2]
                if name in _BY_ANNOTATION:
                    self._names[argument.arg] = _BY_ANNOTATION[name]
        for argument, value in defaults(function.args):
            if isinstance(value, ast.expr) and self.of(value) not in (Kind.UNKNOWN, Kind.NOTHING):
                self._names.setdefault(argument.arg, self.of(value))

    def _evidence(self, node: ast.AST) -> Iterable[tuple[str, Kind]]:
        """Yield (name, kind) that a node says about the names in it."""
        match node:
            case ast.Assign(targets=[ast.Name() | ast.Attribute() as target], value=value):
                yield ast.unparse(target), self.of(value)
            case ast.Assign(targets=[ast.Tuple(elts=names)], value=ast.Tuple(elts=values)) if len(names) == len(values):
                yield from ((ast.unparse(name), self.of(value)) for name, value in zip(names, values, strict=True))
            case ast.Assign(targets=targets, value=value):
                yield from ((ast.unparse(target), self.of(value)) for target in targets)
            case ast.AugAssign(target=ast.Name() | ast.Attribute() as target, value=value):
                yield ast.unparse(target), self.of(value)
            case ast.For(target=target, iter=iterated) | ast.comprehension(target=target, iter=iterated):
                yield from _counters(target, iterated)
            case ast.Compare(left=ast.Name() | ast.Attribute() as left, comparators=[right]) if self.of(right) in (
                Kind.NUMBER, Kind.TEXT,
            ) and not isinstance(node.ops[0], ast.In | ast.NotIn):  # fmt: skip
                yield ast.unparse(left), self.of(right)
            case ast.Subscript(value=ast.Name() as owner, slice=index):
                yield owner.id, Kind.LIST if _is_position(index, self) else Kind.UNKNOWN
                yield from _positions(index)
            case ast.Call(func=ast.Attribute(value=ast.Name() | ast.Attribute() as owner, attr=method)):
                yield ast.unparse(owner), _BY_METHOD.get(method, Kind.UNKNOWN)
            case ast.Call(func=ast.Name(id="len"), args=[ast.Name(id=name)]):
                yield name, Kind.LIST
            case ast.BinOp(op=ast.Sub() | ast.Mult() | ast.FloorDiv() | ast.Div() | ast.Mod()):
                for side, other in ((node.left, node.right), (node.right, node.left)):
                    if isinstance(side, ast.Name) and self.of(other) is Kind.NUMBER:
                        yield side.id, Kind.NUMBER


def _of_value(value: object) -> Kind:
    if isinstance(value, bool):
        return Kind.TRUTH
    if value is None:
        return Kind.NOTHING
    return Kind.NUMBER if isinstance(value, int | float) else Kind.TEXT if isinstance(value, str) else Kind.UNKNOWN


def _counters(target: ast.expr, iterated: ast.expr) -> Iterable[tuple[str, Kind]]:
    """Yield the names that `range` and `enumerate` count with."""
    match target, iterated:
        case (ast.Name(id=name), ast.Call(func=ast.Name(id="range"))):
            yield name, Kind.NUMBER
        case (ast.Tuple(elts=[ast.Name(id=name), *_]), ast.Call(func=ast.Name(id="enumerate"))):
            yield name, Kind.NUMBER


def _is_position(index: ast.expr, kinds: Kinds) -> bool:
    return isinstance(index, ast.Slice) or kinds.of(index) is Kind.NUMBER


def _positions(index: ast.expr) -> Iterable[tuple[str, Kind]]:
    """Yield the names in the bounds of a slice, which are numbers."""
    if isinstance(index, ast.Slice):
        for bound in (index.lower, index.upper):
            if isinstance(bound, ast.Name):
                yield bound.id, Kind.NUMBER
