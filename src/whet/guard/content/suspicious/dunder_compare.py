"""Whether a method that decides about equality, order, membership or exceptions does what such a method is for."""

import ast
from collections.abc import Iterator

from whet.guard.content.suspicious.scopes import returns

Function = ast.FunctionDef | ast.AsyncFunctionDef
_ORDER = frozenset({"__lt__", "__le__", "__gt__", "__ge__"})
_EXIT = frozenset({"__exit__", "__aexit__"})
# Of these two values are as different as the values themselves.
_TELLING_APART = frozenset({"str", "repr", "tuple", "list", "set", "frozenset", "dict", "sorted", "float", "int"})


def is_plain(function: Function) -> bool:
    """Whether its body can be seen to agree with nothing but what is alike. What is unclear is not plain."""
    if function.decorator_list:
        return False
    if function.name in _EXIT:
        return all(map(_is_nothing, _given_back(function)))
    own = [one.arg for one in (*function.args.posonlyargs, *function.args.args)]
    if len(own) != 2 or isinstance(function, ast.AsyncFunctionDef) or _yields(function):
        return False
    if function.name in ("__eq__", "__ne__"):
        return _compares(function, own[0], own[1], ast.Eq if function.name == "__eq__" else ast.NotEq)
    if function.name in _ORDER:
        return _compares(function, own[0], own[1], ast.cmpop)
    return function.name == "__contains__" and _looks_inside(function, *own)


def _given_back(function: Function) -> Iterator[ast.expr | None]:
    yield from (node.value for node in returns(function))
    for part in function.body:
        yield from (node for node in ast.walk(part) if isinstance(node, ast.Yield | ast.YieldFrom))


def _is_nothing(value: ast.expr | None) -> bool:
    return value is None or (isinstance(value, ast.Constant) and value.value in (None, False))


def _yields(function: Function) -> bool:
    return any(isinstance(node, ast.Yield | ast.YieldFrom) for node in ast.walk(function))


def _compares(function: Function, own: str, other: str, kind: type[ast.cmpop]) -> bool:
    """The same of both: refusals first, then one comparison, or several of which all must hold."""
    *before, last = [part for part in function.body if not _is_document(part)] or [ast.Pass()]
    if not all(_refuses(part, own, other) for part in before):
        return False
    if not isinstance(last, ast.Return) or last.value is None:
        return False
    parts = last.value.values if isinstance(last.value, ast.BoolOp) else [last.value]
    joined = last.value.op if isinstance(last.value, ast.BoolOp) else ast.And()
    if isinstance(joined, ast.Or) is not (kind is ast.NotEq) and len(parts) > 1:
        return False
    found = [_is_comparison(part, own, other, kind) for part in parts]
    return any(found) and all(one or _asks_kind(part) for one, part in zip(found, parts, strict=True))


def _refuses(part: ast.stmt, own: str, other: str) -> bool:
    """`if not isinstance(other, Kind): return NotImplemented`, and that a thing equals itself."""
    match part:
        case ast.If(
            test=test, body=[ast.Return(value=ast.Name(id="NotImplemented") | ast.Constant(value=False))], orelse=[]
        ):
            return _asks_kind(test)
        case ast.If(
            test=ast.Compare(left=ast.Name(id=left), ops=[ast.Is()], comparators=[ast.Name(id=right)]),
            body=[ast.Return(value=ast.Constant())],
            orelse=[],
        ):
            return {left, right} == {own, other}
    return False


def _asks_kind(test: ast.expr) -> bool:
    match test:
        case ast.UnaryOp(op=ast.Not(), operand=inner):
            return _asks_kind(inner)
        case ast.Call(func=ast.Name(id="isinstance")):
            return True
        case ast.Compare(left=left, ops=[_], comparators=[right]):
            return _is_kind(left) and _is_kind(right)
    return False


def _is_kind(node: ast.expr) -> bool:
    match node:
        case ast.Call(func=ast.Name(id="type")) | ast.Attribute(attr="__class__") | ast.Name():
            return True
    return False


def _is_comparison(part: ast.expr, own: str, other: str, kind: type[ast.cmpop]) -> bool:
    match part:
        case ast.Compare(left=left, ops=[op], comparators=[right]) if isinstance(op, kind):
            first, second = _side(left, own), _side(right, other)
            if not (first and second):
                first, second = _side(left, other), _side(right, own)
            return bool(first) and first == second
    return False


def _side(node: ast.expr, name: str) -> str:
    """A part of the value called `name`, written with the name left out; empty where it is anything else."""
    match node:
        case ast.Attribute(value=ast.Name(id=found), attr=attr) if found == name and not attr.startswith("__"):
            return f".{attr}"
        case ast.Attribute(value=value, attr=attr) if not attr.startswith("__"):
            return _added(_side(value, name), f".{attr}")
        case ast.Call(func=ast.Attribute() as func, args=[], keywords=[]):
            return _added(_side(func, name), "()")
        case ast.Subscript(value=value, slice=ast.Constant(value=place)):
            return _added(_side(value, name), f"[{place!r}]")
        case ast.Call(func=ast.Name(id=call), args=[inner], keywords=[]) if call in _TELLING_APART:
            bare = isinstance(inner, ast.Name) and inner.id == name
            return f"{call}(.)" if bare else _added(_side(inner, name), f"|{call}")
        case ast.Tuple(elts=[_, *_] as elements) | ast.List(elts=[_, *_] as elements):
            sides = [_side(one, name) for one in elements]
            return ",".join(sides) if all(sides) else ""
    return ""


def _added(side: str, more: str) -> str:
    return f"{side}{more}" if side else ""


def _looks_inside(function: Function, own: str, wanted: str) -> bool:
    """Every answer is no, or asks whether what is wanted is in something of its own."""
    body = [part for part in function.body if not _is_document(part)]
    asked = [value for value in _given_back(function) if not _is_nothing(value)]
    simple = all(isinstance(part, ast.Return | ast.If | ast.Assign) for part in body)
    return simple and bool(asked) and all(_is_inside(value, own, wanted) for value in asked)


def _is_inside(value: ast.expr | None, own: str, wanted: str) -> bool:
    match value:
        case ast.Compare(left=left, ops=[ast.In()], comparators=[right]):
            return wanted in _names(left) and own in _names(right) and wanted not in _names(right)
        case ast.Call(func=ast.Name(id="any"), args=[ast.GeneratorExp(elt=asked, generators=[one])]):
            return own in _names(one.iter) and wanted not in _names(one.iter) and _meets(asked, wanted, one.target)
        case ast.BoolOp(op=ast.And(), values=values):
            return any(_is_inside(one, own, wanted) for one in values)
    return False


def _meets(asked: ast.expr, wanted: str, target: ast.expr) -> bool:
    """Whether what is wanted is compared with each element in turn."""
    match asked:
        case ast.Compare(left=left, ops=[ast.Eq() | ast.In()], comparators=[right]):
            sides = _names(left), _names(right)
            return any(wanted in one and _names(target) & two for one, two in (sides, sides[::-1]))
    return False


def _names(node: ast.expr) -> set[str]:
    return {one.id for one in ast.walk(node) if isinstance(one, ast.Name)}


def _is_document(part: ast.stmt) -> bool:
    return isinstance(part, ast.Expr) and isinstance(part.value, ast.Constant)
