"""Arguments in the wrong order or number, operands the wrong way round, the method next door."""

import ast
from collections.abc import Iterator
from datetime import date, datetime, time, timedelta
from functools import cache
from itertools import combinations, pairwise
from pathlib import Path

from whet.phases.propose.repair.candidate import Change, Edit, replace
from whet.phases.propose.repair.module import Scope
from whet.phases.propose.repair.templates.template import Template

_METHODS = (
    ("append", "extend", "add", "insert"),
    ("lower", "upper", "title", "capitalize", "casefold", "swapcase"),
    ("strip", "lstrip", "rstrip"),
    ("removeprefix", "removesuffix", "lstrip", "rstrip", "strip"),
    ("startswith", "endswith"),
    ("find", "rfind", "index", "rindex", "count"),
    ("keys", "values", "items"),
    ("add", "update", "discard", "remove"),
    ("remove", "discard", "pop", "clear"),
    ("pop", "popleft", "popitem", "get"),
    ("append", "appendleft"),
    ("split", "rsplit", "splitlines", "partition"),
    ("partition", "rpartition"),
    ("ljust", "rjust", "center", "zfill"),
    ("union", "intersection", "difference", "symmetric_difference", "update"),
    ("issubset", "issuperset", "isdisjoint"),
    ("isdigit", "isalpha", "isalnum", "isnumeric", "isdecimal"),
    ("islower", "isupper", "istitle"),
    ("setdefault", "get", "pop"),
    ("match", "search", "fullmatch"),
    ("findall", "finditer", "search"),
    ("floor", "ceil", "trunc"),
    ("read", "readline", "readlines"),
    ("encode", "decode"),
    ("days", "seconds", "microseconds", "total_seconds"),
    ("year", "month", "day", "hour", "minute", "second"),
    ("most_common", "elements", "items"),
    ("sin", "cos", "tan"),
    ("heappush", "heappop", "heapify", "heappushpop", "heapreplace"),
    ("bisect_left", "bisect_right", "bisect", "insort"),
    ("combinations", "permutations", "product", "combinations_with_replacement"),
    ("zip", "zip_longest"),
)
_BUILTINS = (
    ("min", "max", "sum", "abs"),
    ("any", "all"),
    ("len", "sum", "max"),
    ("sorted", "reversed", "list"),
    ("round", "int", "float", "abs"),
    ("floor", "ceil", "round", "int"),
    ("list", "set", "tuple", "sorted", "dict"),
    ("set", "dict.fromkeys"),
    ("str", "repr", "int"),
    ("isinstance", "issubclass", "hasattr"),
    ("getattr", "hasattr"),
    ("enumerate", "range", "zip"),
    ("ord", "chr"),
    ("print", "str"),
    ("map", "filter"),
)
_TYPES = (str, bytes, list, dict, set, datetime, date, time, timedelta, Path)
_ORDERED = (ast.Sub, ast.Div, ast.FloorDiv, ast.Mod, ast.Pow, ast.Add, ast.LShift, ast.RShift)


def swapped_arguments(node: ast.Call, scope: Scope) -> Iterator[Edit]:
    for one, other in combinations(node.args, 2):
        if not isinstance(one, ast.Starred) and not isinstance(other, ast.Starred) and not _of_two_kinds(one, other):
            neighbours = node.args.index(other) - node.args.index(one) == 1
            yield _swapped(one, other, scope, 1.0 if neighbours else 0.6)
    for first, second in combinations(node.keywords, 2):
        yield _swapped(first.value, second.value, scope, 0.3)


def _of_two_kinds(one: ast.expr, other: ast.expr) -> bool:
    """Literals that cannot have been mistaken for each other."""
    return (
        isinstance(one, ast.Constant) and isinstance(other, ast.Constant) and type(one.value) is not type(other.value)
    )


def swapped_operands(node: ast.BinOp, scope: Scope) -> Iterator[Edit]:
    if isinstance(node.op, _ORDERED):
        yield _swapped(node.left, node.right, scope, 0.5 if isinstance(node.op, ast.Add) else 1.0)


def swapped_elements(node: ast.AST, scope: Scope) -> Iterator[Edit]:
    """Two elements of a pair, or key and value of a dictionary comprehension."""
    if isinstance(node, ast.DictComp):
        yield _swapped(node.key, node.value, scope, 0.6)
    elif isinstance(node, ast.IfExp):
        yield _swapped(node.body, node.orelse, scope, 0.8)
    elif isinstance(node, ast.Tuple):
        for one, other in zip(node.elts, node.elts[1:], strict=False):
            yield _swapped(one, other, scope, 0.7)


def more(node: ast.Call, scope: Scope) -> Iterator[Edit]:
    """An argument that was forgotten: a parameter of the function, or what this callee usually takes."""
    end = scope.module.span(node)[1] - 1
    if scope.module.source[:end].rstrip().endswith(","):
        return
    given = {scope.module.text(argument) for argument in node.args}
    separator = ", " if node.args or node.keywords else ""
    for name in scope.parameters:
        if name not in given:
            weight = 1.0 if name in scope.unused else 0.3
            yield replace(end, end, f"{separator}{name}", f"`{name}` is passed as well", weight)
    for text, description, weight in _usual(node):
        yield replace(end, end, f"{separator}{text}", description, weight)
    if ast.unparse(node.func) == "range" and len(node.args) == 1:
        start = scope.module.span(node.args[0])[0]
        yield replace(start, start, "1, ", "counted from 1", 1.2)


def passed_on(node: ast.Call, scope: Scope) -> Iterator[Edit]:
    """A parameter that a callee of this file takes too, and that was not passed on."""
    callee = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
    taken = scope.module.signatures.get(callee, ())
    end = scope.module.span(node)[1] - 1
    given = {keyword.arg for keyword in node.keywords} | {ast.unparse(argument) for argument in node.args}
    if None in given or scope.module.source[:end].rstrip().endswith(","):
        return
    separator = ", " if node.args or node.keywords else ""
    for star, name in _gathered(scope):
        if f"{star}{name}" not in given and name not in scope.read:
            yield replace(end, end, f"{separator}{star}{name}", f"`{star}{name}` is passed on", 1.2)
    wanted = [name for name in scope.parameters if name in taken and name not in given]
    for name in wanted:
        yield replace(end, end, f"{separator}{name}={name}", f"`{name}` is passed on", 1.0)
    if len(wanted) > 1:
        text = ", ".join(f"{name}={name}" for name in wanted)
        yield replace(end, end, f"{separator}{text}", f"`{text}` is passed on", 0.9)


def _gathered(scope: Scope) -> Iterator[tuple[str, str]]:
    arguments = scope.function.args if scope.function is not None else None
    if arguments is not None and arguments.vararg:
        yield "*", arguments.vararg.arg
    if arguments is not None and arguments.kwarg:
        yield "**", arguments.kwarg.arg


def with_default(node: ast.Call, scope: Scope) -> Iterator[Edit]:
    """A lookup that can be told what to do when there is nothing: `pop(key, None)`, `next(items, None)`."""
    callee = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
    expected, exceptions = _DEFAULTED.get((callee, len(node.args)), (False, ()))
    if not expected or node.keywords or any(isinstance(argument, ast.Starred) for argument in node.args):
        return
    end = scope.module.span(node.args[-1])[1]
    weight = 1.8 if set(exceptions) & set(scope.hints.exceptions) else 0.4
    for default in ("None", "0", "[]", "False", scope.module.literal("''")):
        yield replace(end, end, f", {default}", f"`{default}` where there is nothing", weight)
        weight *= 0.7


_DEFAULTED: dict[tuple[str, int], tuple[bool, tuple[str, ...]]] = {
    ("pop", 1): (True, ("KeyError",)),
    ("next", 1): (True, ("StopIteration", "RuntimeError")),
    ("getattr", 2): (True, ("AttributeError",)),
    ("get", 1): (True, ("TypeError", "AttributeError")),
}


def fewer(node: ast.Call, scope: Scope) -> Iterator[Edit]:
    for before, argument in pairwise(node.args):
        start, stop = scope.module.span(before)[1], scope.module.span(argument)[1]
        yield replace(start, stop, "", f"`{scope.module.text(argument)}` is not passed", 0.35)
    if isinstance(node.func, ast.Attribute) and len(node.args) == 1 and not node.keywords:
        argument = node.args[0]
        yield replace(*scope.module.span(argument), "", f"`{scope.module.text(argument)}` is not passed", 0.5)
    for keyword in node.keywords if len(node.args) + len(node.keywords) > 1 else ():
        start, stop = scope.module.span(keyword)
        ahead = scope.module.source[:start].rstrip()
        if ahead.endswith(","):
            yield replace(len(ahead) - 1, stop, "", f"`{scope.module.text(keyword)}` is not passed", 0.5)


def _usual(node: ast.Call) -> Iterator[tuple[str, str, float]]:
    """Arguments that are often forgotten, by what is called and with how many."""
    callee = node.func.attr if isinstance(node.func, ast.Attribute) else ast.unparse(node.func)
    if callee in ("sorted", "sort"):
        yield "reverse=True", "sorted the other way round", 1.1
    if callee in ("sorted", "sort", "min", "max"):
        yield "key=len", "compared by length", 0.3
    if callee in ("sorted", "min", "max") and len(node.args) == 1 and isinstance(node.args[0], ast.Name):
        yield f"key={node.args[0].id}.get", "compared by value", 0.5
    if callee == "enumerate" and len(node.args) == 1:
        yield "start=1", "counted from 1", 1.2
    if callee == "range" and len(node.args) == 2:
        yield "-1", "counted downwards", 0.8
    if callee == "pop" and not node.args:
        yield "0", "taken from the front", 1.2
    if callee in ("split", "rsplit", "replace") and node.args:
        yield "1", "only once", 0.8


def neighbour(node: ast.Attribute, scope: Scope) -> Iterator[Edit]:
    """Another method or attribute of the same object."""
    known = [name for family in _METHODS if node.attr in family for name in family]
    seen = scope.module.attributes.get(ast.unparse(node.value), ())
    end = scope.module.span(node)[1]
    start = end - len(node.attr)
    choices = dict.fromkeys(_kin(node.attr), 0.4) | dict.fromkeys(seen, 0.5) | dict.fromkeys(known, 1.0)
    for name, weight in choices.items():
        if name != node.attr and scope.module.source[start:end] == node.attr:
            yield replace(start, end, name, f"`.{node.attr}` becomes `.{name}`", weight)


@cache
def _kin(name: str) -> tuple[str, ...]:
    """What the usual types have under a longer or shorter name: `time` and `timetz`, `read` and `read_text`."""
    return tuple(
        other
        for kind in _TYPES
        if hasattr(kind, name)
        for other in dir(kind)
        if not other.startswith("_") and other != name and (other.startswith(name) or name.startswith(other))
    )


def called(node: ast.Attribute, scope: Scope) -> Iterator[Edit]:
    """A method that is named but not called."""
    parent = scope.module.parents.get(node)
    end = scope.module.span(node)[1]
    text = scope.module.text(node)
    if isinstance(parent, ast.Expr):
        yield replace(end, end, "()", f"`{text}` is called", 1.5)
    elif isinstance(node.ctx, ast.Load) and isinstance(
        parent, ast.Return | ast.Assign | ast.BinOp | ast.Compare | ast.For
    ):
        yield replace(end, end, "()", f"`{text}` is called", 0.5)


def builtin(node: ast.Call, scope: Scope) -> Iterator[Edit]:
    if not isinstance(node.func, ast.Name):
        return
    start, end = scope.module.span(node.func)
    families = [*_BUILTINS, *_METHODS]
    for name in dict.fromkeys(name for family in families if node.func.id in family for name in family):
        if name != node.func.id:
            yield replace(start, end, name, f"`{node.func.id}` becomes `{name}`", 1.0)


def unwrapped(node: ast.AST, scope: Scope) -> Iterator[Edit]:
    """A call around a value that should stand alone: `abs(x)`, `sorted(xs)`, `str(n)`."""
    start, end = scope.module.span(node) if isinstance(node, ast.Call) else (0, 0)
    if isinstance(node, ast.Call) and len(node.args) == 1 and not isinstance(node.args[0], ast.Starred):
        inner = scope.module.text(node.args[0])
        if isinstance(node.func, ast.Name) and not isinstance(node.args[0], ast.GeneratorExp):
            yield replace(start, end, inner, f"`{inner}` without `{node.func.id}`", 0.6)
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and not node.args:
        inner = scope.module.text(node.func.value)
        yield replace(start, end, inner, f"`{inner}` without `.{node.func.attr}()`", 0.4)


def _swapped(one: ast.expr, other: ast.expr, scope: Scope, weight: float) -> Edit:
    module = scope.module
    first, second = module.text(one), module.text(other)
    changes = (Change(*module.span(one), second), Change(*module.span(other), first))
    return Edit(changes, f"`{first}` and `{second}` change places", weight)


TEMPLATES = [
    Template("argument_order", 0.6, (ast.Call,), swapped_arguments),
    Template("argument_order", 0.55, (ast.BinOp,), swapped_operands),
    Template("argument_order", 0.4, (ast.Tuple, ast.DictComp, ast.IfExp), swapped_elements),
    Template("arguments", 0.4, (ast.Call,), more),
    Template("arguments", 0.4, (ast.Call,), fewer),
    Template("passing", 0.6, (ast.Call,), passed_on),
    Template("lookup", 0.5, (ast.Call,), with_default),
    Template("attribute", 0.6, (ast.Attribute,), neighbour),
    Template("attribute", 0.5, (ast.Attribute,), called),
    Template("attribute", 0.6, (ast.Call,), builtin),
    Template("unwrap", 0.35, (ast.Call,), unwrapped),
]
