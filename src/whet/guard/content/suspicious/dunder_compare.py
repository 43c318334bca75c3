"""Recognise special methods that do what they are for: comparison, order, membership, leaving a `with` block."""

import ast
from collections.abc import Iterator

from whet.pyast.functions import Function, own_returns

_ORDER = frozenset({"__lt__", "__le__", "__gt__", "__ge__"})
_EXIT = frozenset({"__exit__", "__aexit__"})
# Conversions that keep different values different, at least for practical purposes.
_KEEPS_DIFFERENCES = frozenset({"str", "repr", "tuple", "list", "set", "frozenset", "dict", "sorted", "float", "int"})


def is_ordinary(function: Function) -> bool:
    """True if the method is certainly honest: a comparison of like parts, or an `__exit__` that hides no exception."""
    if function.decorator_list:
        return False
    if function.name in _EXIT:
        return all(map(_is_none_or_false, _results(function)))
    parameters = [parameter.arg for parameter in (*function.args.posonlyargs, *function.args.args)]
    if len(parameters) != 2 or isinstance(function, ast.AsyncFunctionDef) or _is_generator(function):
        return False
    own, other = parameters
    if function.name == "__eq__":
        return _compares(function, own, other, ast.Eq)
    if function.name == "__ne__":
        return _compares(function, own, other, ast.NotEq)
    if function.name in _ORDER:
        return _compares(function, own, other, ast.cmpop)
    return function.name == "__contains__" and _looks_inside(function, own, other)


def _results(function: Function) -> Iterator[ast.expr | None]:
    """Yield every value that the function returns or yields."""
    yield from (statement.value for statement in own_returns(function))
    for part in function.body:
        yield from (node for node in ast.walk(part) if isinstance(node, ast.Yield | ast.YieldFrom))


def _is_none_or_false(value: ast.expr | None) -> bool:
    return value is None or (isinstance(value, ast.Constant) and value.value in (None, False))


def _is_generator(function: Function) -> bool:
    return any(isinstance(node, ast.Yield | ast.YieldFrom) for node in ast.walk(function))


def _compares(function: Function, own: str, other: str, operator: type[ast.cmpop]) -> bool:
    """True if the method checks types first and then compares the same parts of `own` and `other`.

    Several comparisons must be joined by `and`, those of `__ne__` by `or`.
    """
    *checks, last = _body(function) or [ast.Pass()]
    if not all(_is_type_check(check, own, other) for check in checks):
        return False
    if not isinstance(last, ast.Return) or last.value is None:
        return False
    parts = [last.value]
    if isinstance(last.value, ast.BoolOp):
        parts = last.value.values
        if isinstance(last.value.op, ast.Or) is not (operator is ast.NotEq):
            return False
    comparing = [_is_comparison(part, own, other, operator) for part in parts]
    return any(comparing) and all(
        compares or _tests_type(part) for compares, part in zip(comparing, parts, strict=True)
    )


def _is_type_check(statement: ast.stmt, own: str, other: str) -> bool:
    """True for `if not isinstance(other, Kind): return NotImplemented` and for `if self is other: return ...`."""
    match statement:
        case ast.If(
            test=test, body=[ast.Return(value=ast.Name(id="NotImplemented") | ast.Constant(value=False))], orelse=[]
        ):
            return _tests_type(test)
        case ast.If(
            test=ast.Compare(left=ast.Name(id=left), ops=[ast.Is()], comparators=[ast.Name(id=right)]),
            body=[ast.Return(value=ast.Constant())],
            orelse=[],
        ):
            return {left, right} == {own, other}
    return False


def _tests_type(test: ast.expr) -> bool:
    match test:
        case ast.UnaryOp(op=ast.Not(), operand=inner):
            return _tests_type(inner)
        case ast.Call(func=ast.Name(id="isinstance")):
            return True
        case ast.Compare(left=left, ops=[_], comparators=[right]):
            return _is_type(left) and _is_type(right)
    return False


def _is_type(node: ast.expr) -> bool:
    match node:
        case ast.Call(func=ast.Name(id="type")) | ast.Attribute(attr="__class__") | ast.Name():
            return True
    return False


def _is_comparison(part: ast.expr, own: str, other: str, operator: type[ast.cmpop]) -> bool:
    """True if `part` compares something of `own` with the same of `other`, in either order."""
    match part:
        case ast.Compare(left=left, ops=[op], comparators=[right]) if isinstance(op, operator):
            first, second = _path(left, own), _path(right, other)
            if not (first and second):
                first, second = _path(left, other), _path(right, own)
            return bool(first) and first == second
    return False


def _path(node: ast.expr, name: str) -> str:
    """Return how `node` is taken from the value `name` (`.items[0]` of `self.items[0]`); empty if it is not."""
    match node:
        case ast.Attribute(value=ast.Name(id=owner), attr=attr) if owner == name and not attr.startswith("__"):
            return f".{attr}"
        case ast.Attribute(value=value, attr=attr) if not attr.startswith("__"):
            return _extended(_path(value, name), f".{attr}")
        case ast.Call(func=ast.Attribute() as func, args=[], keywords=[]):
            return _extended(_path(func, name), "()")
        case ast.Subscript(value=value, slice=ast.Constant(value=index)):
            return _extended(_path(value, name), f"[{index!r}]")
        case ast.Call(func=ast.Name(id=call), args=[inner], keywords=[]) if call in _KEEPS_DIFFERENCES:
            is_whole = isinstance(inner, ast.Name) and inner.id == name
            return f"{call}(.)" if is_whole else _extended(_path(inner, name), f"|{call}")
        case ast.Tuple(elts=[_, *_] as elements) | ast.List(elts=[_, *_] as elements):
            paths = [_path(element, name) for element in elements]
            return ",".join(paths) if all(paths) else ""
    return ""


def _extended(path: str, step: str) -> str:
    return f"{path}{step}" if path else ""


def _looks_inside(function: Function, own: str, item: str) -> bool:
    """True if the method returns whether `item` is in something that belongs to `own`; it may also return False."""
    is_simple = all(isinstance(part, ast.Return | ast.If | ast.Assign) for part in _body(function))
    answers = [value for value in _results(function) if not _is_none_or_false(value)]
    return is_simple and bool(answers) and all(_is_membership(value, own, item) for value in answers)


def _is_membership(value: ast.expr | None, own: str, item: str) -> bool:
    match value:
        case ast.Compare(left=left, ops=[ast.In()], comparators=[right]):
            return item in _names(left) and own in _names(right) and item not in _names(right)
        case ast.Call(func=ast.Name(id="any"), args=[ast.GeneratorExp(elt=test, generators=[loop])]):
            searched = _names(loop.iter)
            return own in searched and item not in searched and _is_compared(test, item, loop.target)
        case ast.BoolOp(op=ast.And(), values=values):
            return any(_is_membership(part, own, item) for part in values)
    return False


def _is_compared(test: ast.expr, item: str, element: ast.expr) -> bool:
    """True if `test` compares `item` with the current `element` of a loop."""
    match test:
        case ast.Compare(left=left, ops=[ast.Eq() | ast.In()], comparators=[right]):
            elements = _names(element)
            return bool(
                (item in _names(left) and elements & _names(right))
                or (item in _names(right) and elements & _names(left))
            )
    return False


def _names(node: ast.expr) -> set[str]:
    return {inner.id for inner in ast.walk(node) if isinstance(inner, ast.Name)}


def _body(function: Function) -> list[ast.stmt]:
    """Return the statements of a function without docstrings."""
    return [part for part in function.body if not (isinstance(part, ast.Expr) and isinstance(part.value, ast.Constant))]
