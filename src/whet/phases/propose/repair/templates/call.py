"""Fix a call: `pow(b, a)` -> `pow(a, b)`, `g(a)` -> `g(a, b)`, `text.lower()` -> `text.upper()`."""

import ast
from collections.abc import Iterator
from datetime import date, datetime, time, timedelta
from functools import cache
from itertools import combinations, pairwise
from pathlib import Path

from whet.phases.propose.repair.candidate import Edit, Replacement, replace, say
from whet.phases.propose.repair.scope import Scope
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


def swap_arguments(node: ast.Call, scope: Scope) -> Iterator[Edit]:
    for first, second in combinations(node.args, 2):
        starred = isinstance(first, ast.Starred) or isinstance(second, ast.Starred)
        if not starred and not _differ_in_type(first, second):
            adjacent = node.args.index(second) - node.args.index(first) == 1
            yield _swap(first, second, scope, 1.0 if adjacent else 0.6)
    for keyword, other in combinations(node.keywords, 2):
        yield _swap(keyword.value, other.value, scope, 0.3)


def _differ_in_type(first: ast.expr, second: ast.expr) -> bool:
    """True for two literals of different types, which nobody confuses."""
    if not isinstance(first, ast.Constant) or not isinstance(second, ast.Constant):
        return False
    return type(first.value) is not type(second.value)


def swap_operands(node: ast.BinOp, scope: Scope) -> Iterator[Edit]:
    if isinstance(node.op, _ORDERED):
        yield _swap(node.left, node.right, scope, 0.5 if isinstance(node.op, ast.Add) else 1.0)


def swap_elements(node: ast.AST, scope: Scope) -> Iterator[Edit]:
    """Swap two elements of a tuple, the branches of a conditional, or key and value of a dictionary comprehension."""
    if isinstance(node, ast.DictComp):
        yield _swap(node.key, node.value, scope, 0.6)
    elif isinstance(node, ast.IfExp):
        yield _swap(node.body, node.orelse, scope, 0.8)
    elif isinstance(node, ast.Tuple):
        for first, second in zip(node.elts, node.elts[1:], strict=False):
            yield _swap(first, second, scope, 0.7)


def add_argument(node: ast.Call, scope: Scope) -> Iterator[Edit]:
    """Pass one more argument: a parameter of the function, or one that this callee usually takes."""
    end = scope.module.span(node)[1] - 1
    if scope.module.source[:end].rstrip().endswith(","):
        return
    passed = {scope.module.text(argument) for argument in node.args}
    callee = ast.unparse(node.func)
    separator = ", " if node.args or node.keywords else ""
    for name in scope.parameters:
        if name not in passed:
            weight = 1.0 if name in scope.unused_parameters else 0.3
            yield replace(end, end, f"{separator}{name}", say("Pass {} to {}", name, callee), weight)
    for text, summary, weight in _usual_arguments(node):
        yield replace(end, end, f"{separator}{text}", say(summary), weight)
    if callee == "range" and len(node.args) == 1:
        start = scope.module.span(node.args[0])[0]
        yield replace(start, start, "1, ", say("Start the range at 1"), 1.2)


def pass_on(node: ast.Call, scope: Scope) -> Iterator[Edit]:
    """Add an argument to a call: a parameter of the calling function that the called one also has (`g(a)` -> `g(a, b=b)`)."""
    callee = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
    accepted = scope.module.parameter_names.get(callee, ())
    end = scope.module.span(node)[1] - 1
    passed = {keyword.arg for keyword in node.keywords} | {ast.unparse(argument) for argument in node.args}
    if None in passed or scope.module.source[:end].rstrip().endswith(","):
        return
    separator = ", " if node.args or node.keywords else ""
    for name in _star_parameters(scope):
        if name not in passed and name.lstrip("*") not in scope.read_names:
            yield replace(end, end, f"{separator}{name}", say("Pass {} on to {}", name, callee), 1.2)
    missing = [name for name in scope.parameters if name in accepted and name not in passed]
    for name in missing:
        yield replace(end, end, f"{separator}{name}={name}", say("Pass {} on to {}", name, callee), 1.0)
    if len(missing) > 1:
        text = ", ".join(f"{name}={name}" for name in missing)
        yield replace(end, end, f"{separator}{text}", say("Pass {} on to {}", ", ".join(missing), callee), 0.9)


def _star_parameters(scope: Scope) -> Iterator[str]:
    arguments = scope.function.args if scope.function is not None else None
    if arguments is not None and arguments.vararg:
        yield f"*{arguments.vararg.arg}"
    if arguments is not None and arguments.kwarg:
        yield f"**{arguments.kwarg.arg}"


def add_default(node: ast.Call, scope: Scope) -> Iterator[Edit]:
    """Give a lookup a default: `pop(key)` -> `pop(key, None)`."""
    callee = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
    exceptions = _TAKES_DEFAULT.get((callee, len(node.args)))
    if exceptions is None or node.keywords or any(isinstance(argument, ast.Starred) for argument in node.args):
        return
    end = scope.module.span(node.args[-1])[1]
    weight = 1.8 if set(exceptions) & set(scope.hints.exceptions) else 0.4
    for default in ("None", "0", "[]", "False", scope.module.literal("''")):
        yield replace(end, end, f", {default}", say("Use {} as the default of {}", default, f"{callee}()"), weight)
        weight *= 0.7


# callee and number of arguments -> exceptions that the default avoids
_TAKES_DEFAULT: dict[tuple[str, int], tuple[str, ...]] = {
    ("pop", 1): ("KeyError",),
    ("next", 1): ("StopIteration", "RuntimeError"),
    ("getattr", 2): ("AttributeError",),
    ("get", 1): ("TypeError", "AttributeError"),
}


def drop_argument(node: ast.Call, scope: Scope) -> Iterator[Edit]:
    callee = ast.unparse(node.func)
    for before, argument in pairwise(node.args):
        start, stop = scope.module.span(before)[1], scope.module.span(argument)[1]
        summary = say("Stop passing {} to {}", scope.module.text(argument), callee)
        yield replace(start, stop, "", summary, 0.35)
    if isinstance(node.func, ast.Attribute) and len(node.args) == 1 and not node.keywords:
        argument = node.args[0]
        summary = say("Stop passing {} to {}", scope.module.text(argument), callee)
        yield replace(*scope.module.span(argument), "", summary, 0.5)
    for keyword in node.keywords if len(node.args) + len(node.keywords) > 1 else ():
        start, stop = scope.module.span(keyword)
        ahead = scope.module.source[:start].rstrip()
        if ahead.endswith(","):
            summary = say("Stop passing {} to {}", scope.module.text(keyword), callee)
            yield replace(len(ahead) - 1, stop, "", summary, 0.5)


def _usual_arguments(node: ast.Call) -> Iterator[tuple[str, str, float]]:
    """Yield (argument, summary, weight) for arguments of well-known functions that are often forgotten."""
    callee = node.func.attr if isinstance(node.func, ast.Attribute) else ast.unparse(node.func)
    if callee in ("sorted", "sort"):
        yield "reverse=True", "Sort in reverse order", 1.1
    if callee in ("sorted", "sort", "min", "max"):
        yield "key=len", "Compare by length", 0.3
    if callee in ("sorted", "min", "max") and len(node.args) == 1 and isinstance(node.args[0], ast.Name):
        yield f"key={node.args[0].id}.get", "Compare by value", 0.5
    if callee == "enumerate" and len(node.args) == 1:
        yield "start=1", "Count from 1", 1.2
    if callee == "range" and len(node.args) == 2:
        yield "-1", "Count downwards", 0.8
    if callee == "pop" and not node.args:
        yield "0", "Pop from the front", 1.2
    if callee in ("split", "rsplit", "replace") and node.args:
        yield "1", f"Limit {callee}() to one occurrence", 0.8


def other_attribute(node: ast.Attribute, scope: Scope) -> Iterator[Edit]:
    """Use another method or attribute of the same object."""
    related = [name for family in _METHODS if node.attr in family for name in family]
    used = scope.module.attributes.get(ast.unparse(node.value), ())
    end = scope.module.span(node)[1]
    start = end - len(node.attr)
    choices = dict.fromkeys(_similar(node.attr), 0.4) | dict.fromkeys(used, 0.5) | dict.fromkeys(related, 1.0)
    for name, weight in choices.items():
        if name != node.attr and scope.module.source[start:end] == node.attr:
            yield replace(start, end, name, say("Use {} instead of {}", f".{name}", f".{node.attr}"), weight)


@cache
def _similar(name: str) -> tuple[str, ...]:
    """Return attributes of common types whose name extends or shortens this one: `time` -> `timetz`."""
    return tuple(
        other
        for kind in _TYPES
        if hasattr(kind, name)
        for other in dir(kind)
        if not other.startswith("_") and other != name and (other.startswith(name) or name.startswith(other))
    )


def call_method(node: ast.Attribute, scope: Scope) -> Iterator[Edit]:
    """Call a method that is only named: `a.sort` -> `a.sort()`."""
    parent = scope.module.parents.get(node)
    end = scope.module.span(node)[1]
    text = scope.module.text(node)
    if isinstance(parent, ast.Expr):
        yield replace(end, end, "()", say("Call {}", f"{text}()"), 1.5)
    elif isinstance(node.ctx, ast.Load) and isinstance(
        parent, ast.Return | ast.Assign | ast.BinOp | ast.Compare | ast.For
    ):
        yield replace(end, end, "()", say("Call {}", f"{text}()"), 0.5)


def other_builtin(node: ast.Call, scope: Scope) -> Iterator[Edit]:
    if not isinstance(node.func, ast.Name):
        return
    start, end = scope.module.span(node.func)
    families = [*_BUILTINS, *_METHODS]
    for name in dict.fromkeys(name for family in families if node.func.id in family for name in family):
        if name != node.func.id:
            yield replace(start, end, name, say("Use {} instead of {}", name, node.func.id), 1.0)


def unwrap(node: ast.AST, scope: Scope) -> Iterator[Edit]:
    """Remove a call around a value: `abs(x)` -> `x`."""
    start, end = scope.module.span(node) if isinstance(node, ast.Call) else (0, 0)
    if isinstance(node, ast.Call) and len(node.args) == 1 and not isinstance(node.args[0], ast.Starred):
        inner = scope.module.text(node.args[0])
        if isinstance(node.func, ast.Name) and not isinstance(node.args[0], ast.GeneratorExp):
            yield replace(start, end, inner, say("Remove the call of {} around {}", f"{node.func.id}()", inner), 0.6)
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and not node.args:
        inner = scope.module.text(node.func.value)
        yield replace(start, end, inner, say("Remove {} after {}", f".{node.func.attr}()", inner), 0.4)


def _swap(left: ast.expr, right: ast.expr, scope: Scope, weight: float) -> Edit:
    module = scope.module
    first, second = module.text(left), module.text(right)
    replacements = (Replacement(*module.span(left), second), Replacement(*module.span(right), first))
    return Edit(replacements, say("Swap {} and {}", first, second), weight)


TEMPLATES = [
    Template("argument_order", 0.6, (ast.Call,), swap_arguments),
    Template("argument_order", 0.55, (ast.BinOp,), swap_operands),
    Template("argument_order", 0.4, (ast.Tuple, ast.DictComp, ast.IfExp), swap_elements),
    Template("arguments", 0.4, (ast.Call,), add_argument),
    Template("arguments", 0.4, (ast.Call,), drop_argument),
    Template("passing", 0.6, (ast.Call,), pass_on),
    Template("lookup", 0.5, (ast.Call,), add_default),
    Template("attribute", 0.6, (ast.Attribute,), other_attribute),
    Template("attribute", 0.5, (ast.Attribute,), call_method),
    Template("attribute", 0.6, (ast.Call,), other_builtin),
    Template("unwrap", 0.35, (ast.Call,), unwrap),
]
