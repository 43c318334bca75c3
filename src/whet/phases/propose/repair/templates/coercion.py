"""Convert, copy or clean a value: `"n" + a` -> `"n" + str(a)`, `list(rows)` -> `[list(row) for row in rows]`."""

import ast
import builtins
from collections.abc import Iterator

from whet.phases.propose.repair.candidate import Edit, Replacement, replace, say
from whet.phases.propose.repair.module import first_statement
from whet.phases.propose.repair.scope import Scope
from whet.phases.propose.repair.templates.template import Template
from whet.pyast.functions import Function, parameters

_WRAPPERS = {
    "sorted": 0.8,
    "str": 0.7,
    "int": 0.7,
    "list": 0.7,
    "abs": 0.7,
    "len": 0.6,
    "float": 0.5,
    "set": 0.5,
    "tuple": 0.4,
    "sum": 0.4,
    "round": 0.3,
    "reversed": 0.3,
}
_METHODS = {
    "lower()": 0.7, "strip()": 0.6, "items()": 0.6, "copy()": 0.5, "values()": 0.5, "decode()": 0.5, "upper()": 0.4,
    "title()": 0.35, "encode()": 0.35, "capitalize()": 0.3, "keys()": 0.3,
}  # fmt: skip
_MESSAGES = {
    "int": ("as an integer", "integer argument expected", "expected int"),
    "str": ("must be str", "expected str", "str expected"),
    "float": ("must be real number", "float argument", "must be float"),
}
_PATHS = ("PosixPath", "PathLike", "WindowsPath")
_TYPING = ("Any", "Callable", "Iterable", "Optional", "Union")
_SPLITTING = ("split", "rsplit", "splitlines", "findall", "groups")


def wrap(node: ast.expr, scope: Scope) -> Iterator[Edit]:
    """Wrap an expression in a built-in function, or call a method on it."""
    parent = scope.module.parents.get(node)
    if not isinstance(getattr(node, "ctx", ast.Load()), ast.Load) or isinstance(parent, ast.Attribute):
        return
    if isinstance(parent, ast.Call) and node is parent.func:
        return
    start, end = scope.module.span(node)
    text = scope.module.text(node)
    factor = _expected(parent) * (0.6 if isinstance(node, ast.Call | ast.BinOp) else 1.0)
    aliased = isinstance(parent, ast.Assign) and text in scope.parameters
    for name, usual in (_WRAPPERS | ({"os.fspath": 1.6} if _concerns_paths(scope) else {})).items():
        weight = usual * 2.0 if aliased and name in ("list", "dict", "set") else usual
        yield Edit(_wrapped(start, end, name), say("Apply {} to {}", f"{name}()", text), weight * factor)
    if not isinstance(node, ast.BinOp | ast.Constant):
        mixed = _mixes_bytes(scope)
        for method, usual in _METHODS.items():
            weight = 2.0 if mixed and method in ("decode()", "encode()") else usual
            summary = say("Call {} on {}", f".{method}", text)
            yield replace(end, end, f".{method}", summary, weight * factor * 0.8)


def _wrapped(start: int, end: int, function: str) -> tuple[Replacement, Replacement]:
    return Replacement(start, start, f"{function}("), Replacement(end, end, ")")


def convert_arguments(node: ast.Call, scope: Scope) -> Iterator[Edit]:
    """Convert every argument, if a failure message says that the callee expects another type."""
    values = [*node.args, *(keyword.value for keyword in node.keywords)]
    converted = [value for value in values if isinstance(value, ast.Name | ast.Attribute | ast.Subscript)]
    if len(converted) < 2:
        return
    for kind in [kind for kind, words in _MESSAGES.items() if scope.hints.mention(*words)]:
        spans = [scope.module.span(value) for value in converted]
        replacements = [item for start, end in spans for item in _wrapped(start, end, kind)]
        summary = say("Convert every argument of {} to {}", ast.unparse(node.func), kind)
        yield Edit(tuple(replacements), summary, 1.5)


def convert_owner(node: ast.Attribute, scope: Scope) -> Iterator[Edit]:
    """Convert an object that lacks the method: `path.split(sep)` -> `str(path).split(sep)`."""
    if not scope.hints.mention(f"has no attribute '{node.attr}'") or not isinstance(
        node.value, ast.Name | ast.Attribute
    ):
        return
    start, end = scope.module.span(node.value)
    for kind in (str, list, dict, int, float):
        if hasattr(kind, node.attr):
            summary = say("Convert {} to {}", scope.module.text(node.value), kind.__name__)
            yield Edit(_wrapped(start, end, kind.__name__), summary, 1.5)


def accept_path(node: Function, scope: Scope) -> Iterator[Edit]:
    """Convert a parameter with `os.fspath`, so that it may be a path."""
    first = first_statement(node)
    indent = scope.module.indent(first)
    if indent is None or not _concerns_paths(scope):
        return
    start = scope.module.line_start(first.lineno)
    for name in [name for name in parameters(node.args) if name not in ("self", "cls")]:
        text = f"{indent}{name} = os.fspath({name}){scope.module.newline}"
        yield replace(start, start, text, say("Accept a path as {}", name), 2.0)


def _concerns_paths(scope: Scope) -> bool:
    return scope.hints.mention(*_PATHS) and scope.module.imports("os")


def convert_parts(node: ast.Call, scope: Scope) -> Iterator[Edit]:
    """Convert the parts of a split text: `line.split()` -> `map(int, line.split())`."""
    parent = scope.module.parents.get(node)
    if (
        not isinstance(node.func, ast.Attribute)
        or node.func.attr not in _SPLITTING
        or isinstance(parent, ast.Attribute)
    ):
        return
    start, end = scope.module.span(node)
    iterated = isinstance(parent, ast.Call | ast.For | ast.comprehension)
    for kind, weight in (("int", 1.0), ("float", 0.6), ("str.strip", 0.5)):
        made = f"map({kind}, {scope.module.text(node)})"
        yield replace(
            start,
            end,
            made if iterated else f"list({made})",
            say("Apply {} to each part of {}", kind, scope.module.text(node)),
            weight,
        )


def copy_rows(node: ast.Call | ast.Subscript, scope: Scope) -> Iterator[Edit]:
    """Copy the rows too, not only the list of rows."""
    text = scope.module.text(node)
    of_list = isinstance(node, ast.Call) and text.startswith("list(") and len(node.args) == 1
    inner = scope.module.text(node.args[0]) if of_list and isinstance(node, ast.Call) else text.removesuffix("[:]")
    if of_list or text.endswith("[:]"):
        made = f"[list(row) for row in {inner}]"
        yield replace(*scope.module.span(node), made, say("Copy the rows of {} too", inner), 0.8)


def error_text(node: ast.Subscript, scope: Scope) -> Iterator[Edit]:
    """Use `str(error)` instead of `error.args[0]`, which may be missing or no text."""
    if isinstance(node.value, ast.Attribute) and node.value.attr == "args" and isinstance(node.slice, ast.Constant):
        owner = scope.module.text(node.value.value)
        yield replace(
            *scope.module.span(node),
            f"str({owner})",
            say("Use {} instead of {}", f"str({owner})", scope.module.text(node)),
            1.0,
        )


def convert_parameter(node: Function, scope: Scope) -> Iterator[Edit]:
    """Convert a parameter of another type at the start of the function: `if isinstance(a, str): a = [a]`."""
    first = first_statement(node)
    indent = scope.module.indent(first)
    if indent is None:
        return
    start, newline = scope.module.line_start(first.lineno), scope.module.newline
    for name in [name for name in parameters(node.args) if name not in ("self", "cls")][:4]:
        for kind, made, weight in _conversions(name, scope):
            inner = indent + scope.module.indent_unit
            text = f"{indent}if isinstance({name}, {kind}):{newline}{inner}{name} = {made}{newline}"
            yield replace(start, start, text, say("Convert {} {here} to {} if it is {}", name, made, kind), weight)


def _conversions(name: str, scope: Scope) -> Iterator[tuple[str, str, float]]:
    """Yield (type to convert, converted expression, weight)."""
    yield "str", f"[{name}]", 0.4
    yield "bytes", f"{name}.decode()", 1.0 if _mixes_bytes(scope) else 0.4
    classes = [kind for kind in scope.module.classes if kind not in _TYPING]
    for kind in classes[:12]:
        mentioned = any(text.rpartition(".")[2] == kind for text in scope.hints.names)
        likely = mentioned or (kind.endswith("Path") and scope.hints.mention(*_PATHS))
        yield kind, f"str({name})", 0.8 if likely else 0.25
    for kind in dict.fromkeys(text.rpartition(".")[2] for text in scope.hints.names):
        if kind[:1].isupper() and (kind in scope.module.classes or hasattr(builtins, kind)):
            yield "str", f"{kind}({name})", 0.4


def _mixes_bytes(scope: Scope) -> bool:
    """True if the failures compare or combine bytes with text."""
    pairs = zip(scope.hints.actual, scope.hints.expected, strict=False)
    compared = any(left.lstrip().startswith("b") != right.lstrip().startswith("b") for left, right in pairs)
    return compared or scope.hints.mention(
        "bytes-like", "'bytes'", "bytes object", "must be str, not bytes", "bytes pattern"
    )


def mirror_method(node: ast.Compare, scope: Scope) -> Iterator[Edit]:
    """Call the method on both sides of a comparison: `a.lower() == b` -> `a.lower() == b.lower()`."""
    if len(node.comparators) != 1:
        return
    for called, bare in ((node.left, node.comparators[0]), (node.comparators[0], node.left)):
        if isinstance(bare, ast.Constant | ast.Call) or not isinstance(called, ast.Call):
            continue
        if isinstance(called.func, ast.Attribute) and not called.args:
            end = scope.module.span(bare)[1]
            method = f".{called.func.attr}()"
            yield replace(end, end, method, say("Call {} on both sides", method), 1.0)


def own_default(node: Function, scope: Scope) -> Iterator[Edit]:
    """Create a mutable default in each call: `def f(xs=[])` shares one list between all calls."""
    arguments = [*node.args.posonlyargs, *node.args.args]
    defaults = list(zip(arguments[len(arguments) - len(node.args.defaults) :], node.args.defaults, strict=True))
    defaults += [(a, d) for a, d in zip(node.args.kwonlyargs, node.args.kw_defaults, strict=True) if d is not None]
    for argument, default in defaults:
        text = scope.module.text(default)
        first = first_statement(node)
        indent = scope.module.indent(first)
        if not isinstance(default, ast.List | ast.Dict | ast.Set | ast.Call) or indent is None:
            continue
        newline, start = scope.module.newline, scope.module.line_start(first.lineno)
        inner = indent + scope.module.indent_unit
        body = f"{indent}if {argument.arg} is None:{newline}{inner}{argument.arg} = {text}{newline}"
        replacements = (Replacement(*scope.module.span(default), "None"), Replacement(start, start, body))
        yield Edit(replacements, say("Give each call its own default for {}", argument.arg), 1.0)


def _expected(parent: ast.AST | None) -> float:
    """Return how often a value in this position lacks a conversion."""
    if isinstance(parent, ast.Return):
        return 1.7  # the likeliest place: a converted result is right for every caller
    if isinstance(parent, ast.For | ast.comprehension | ast.BinOp | ast.Assign):
        return 1.0
    return 0.6 if isinstance(parent, ast.Call | ast.Compare | ast.Subscript | ast.keyword) else 0.3


TEMPLATES = [
    Template("coercion", 0.35, (ast.Name, ast.Attribute, ast.Call, ast.BinOp, ast.Subscript), wrap),
    Template("coercion", 0.6, (ast.Subscript,), error_text),
    Template("coercion", 0.6, (ast.Attribute,), convert_owner),
    Template("coercion", 0.5, (ast.Call,), convert_arguments),
    Template("coercion", 0.6, Function.__args__, accept_path),
    Template("coercion", 0.5, (ast.Call,), convert_parts),
    Template("coercion", 0.5, (ast.Call, ast.Subscript), copy_rows),
    Template("coercion", 0.35, Function.__args__, convert_parameter),
    Template("mirrored", 0.6, (ast.Compare,), mirror_method),
    Template("mutable_default", 0.9, (ast.FunctionDef, ast.AsyncFunctionDef), own_default),
]
