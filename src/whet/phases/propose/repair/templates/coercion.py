"""A value that needs one more step: turned into another type, copied, sorted, trimmed, rounded."""

import ast
import builtins
from collections.abc import Iterator

from whet.phases.propose.repair.candidate import Change, Edit, replace
from whet.phases.propose.repair.module import Function, Scope, first_statement, parameters
from whet.phases.propose.repair.templates.template import Template

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
_WANTED = {
    "int": ("as an integer", "integer argument expected", "expected int"),
    "str": ("must be str", "expected str", "str expected"),
    "float": ("must be real number", "float argument", "must be float"),
}
_PATHS = ("PosixPath", "PathLike", "WindowsPath")
_IN_PARTS = ("split", "rsplit", "splitlines", "findall", "groups")


def wrapped(node: ast.expr, scope: Scope) -> Iterator[Edit]:
    parent = scope.module.parents.get(node)
    if not isinstance(getattr(node, "ctx", ast.Load()), ast.Load) or isinstance(parent, ast.Attribute):
        return
    if isinstance(parent, ast.Call) and node is parent.func:
        return
    start, end = scope.module.span(node)
    text = scope.module.text(node)
    factor = _expected(parent) * (0.6 if isinstance(node, ast.Call | ast.BinOp) else 1.0)
    aliased = isinstance(parent, ast.Assign) and text in scope.parameters
    for name, usual in (_WRAPPERS | ({"os.fspath": 1.6} if _is_about_paths(scope) else {})).items():
        weight = usual * 2.0 if aliased and name in ("list", "dict", "set") else usual
        changes = (Change(start, start, f"{name}("), Change(end, end, ")"))
        yield Edit(changes, f"`{name}` of `{text}`", weight * factor)
    if not isinstance(node, ast.BinOp | ast.Constant):
        mixed = _mixes_bytes(scope)
        for method, usual in _METHODS.items():
            weight = 2.0 if mixed and method in ("decode()", "encode()") else usual
            yield replace(end, end, f".{method}", f"`.{method}` of `{text}`", weight * factor * 0.8)


def all_turned(node: ast.Call, scope: Scope) -> Iterator[Edit]:
    """Every argument, where the callee says that it wants another type."""
    values = [*node.args, *(keyword.value for keyword in node.keywords)]
    turned = [value for value in values if isinstance(value, ast.Name | ast.Attribute | ast.Subscript)]
    if len(turned) < 2:
        return
    for kind in [kind for kind, words in _WANTED.items() if scope.hints.said(*words)]:
        spans = [scope.module.span(value) for value in turned]
        changes = [
            change for start, end in spans for change in (Change(start, start, f"{kind}("), Change(end, end, ")"))
        ]
        yield Edit(tuple(changes), f"`{kind}` of every argument", 1.5)


def owner_turned(node: ast.Attribute, scope: Scope) -> Iterator[Edit]:
    """`path.split(sep)` of something that has no `split`, where a text was thought of."""
    if not scope.hints.said(f"has no attribute '{node.attr}'") or not isinstance(node.value, ast.Name | ast.Attribute):
        return
    start, end = scope.module.span(node.value)
    for kind in (str, list, dict, int, float):
        if hasattr(kind, node.attr):
            changes = (Change(start, start, f"{kind.__name__}("), Change(end, end, ")"))
            yield Edit(changes, f"`{kind.__name__}` of `{scope.module.text(node.value)}`", 1.5)


def as_path(node: ast.FunctionDef | ast.AsyncFunctionDef, scope: Scope) -> Iterator[Edit]:
    """A parameter that may be a path too."""
    first = first_statement(node)
    indent = scope.module.indent(first)
    if indent is None or not _is_about_paths(scope):
        return
    start = scope.module.line_start(first.lineno)
    for name in [name for name in parameters(node) if name not in ("self", "cls")]:
        text = f"{indent}{name} = os.fspath({name}){scope.module.newline}"
        yield replace(start, start, text, f"`{name}` may be a path", 2.0)


def _is_about_paths(scope: Scope) -> bool:
    return scope.hints.said(*_PATHS) and scope.module.imports("os")


def each_turned(node: ast.Call, scope: Scope) -> Iterator[Edit]:
    """The parts of a text where numbers were meant: `map(int, line.split())`."""
    parent = scope.module.parents.get(node)
    if not isinstance(node.func, ast.Attribute) or node.func.attr not in _IN_PARTS or isinstance(parent, ast.Attribute):
        return
    start, end = scope.module.span(node)
    once = isinstance(parent, ast.Call | ast.For | ast.comprehension)
    for kind, weight in (("int", 1.0), ("float", 0.6), ("str.strip", 0.5)):
        made = f"map({kind}, {scope.module.text(node)})"
        yield replace(start, end, made if once else f"list({made})", f"`{kind}` of each part", weight)


def copied_deeply(node: ast.Call | ast.Subscript, scope: Scope) -> Iterator[Edit]:
    """A copy whose rows are still those of the original."""
    text = scope.module.text(node)
    of_list = isinstance(node, ast.Call) and text.startswith("list(") and len(node.args) == 1
    inner = scope.module.text(node.args[0]) if of_list and isinstance(node, ast.Call) else text.removesuffix("[:]")
    if of_list or text.endswith("[:]"):
        yield replace(*scope.module.span(node), f"[list(row) for row in {inner}]", "the rows are copied too", 0.8)


def said(node: ast.Subscript, scope: Scope) -> Iterator[Edit]:
    """`error.args[0]` need not be a text, or be there at all; `str(error)` is."""
    if isinstance(node.value, ast.Attribute) and node.value.attr == "args" and isinstance(node.slice, ast.Constant):
        owner = scope.module.text(node.value.value)
        yield replace(*scope.module.span(node), f"str({owner})", f"what `{owner}` says", 1.0)


def taken_as(node: ast.FunctionDef | ast.AsyncFunctionDef, scope: Scope) -> Iterator[Edit]:
    """A parameter that also comes as something else, and is turned into what the function works with."""
    first = first_statement(node)
    indent = scope.module.indent(first)
    if indent is None:
        return
    start, newline = scope.module.line_start(first.lineno), scope.module.newline
    for name in [name for name in parameters(node) if name not in ("self", "cls")][:4]:
        for kind, made, weight in _turned(name, scope):
            inner = indent + scope.module.step
            text = f"{indent}if isinstance({name}, {kind}):{newline}{inner}{name} = {made}{newline}"
            yield replace(start, start, text, f"a `{kind}` is taken as `{made}`", weight)


def _turned(name: str, scope: Scope) -> Iterator[tuple[str, str, float]]:
    yield "str", f"[{name}]", 0.4
    yield "bytes", f"{name}.decode()", 1.0 if _mixes_bytes(scope) else 0.4
    known = [kind for kind in scope.module.classes if kind not in ("Any", "Callable", "Iterable", "Optional", "Union")]
    for kind in known[:12]:
        mentioned = any(text.rpartition(".")[2] == kind for text in scope.hints.names)
        about = mentioned or (kind.endswith("Path") and scope.hints.said(*_PATHS))
        yield kind, f"str({name})", 0.8 if about else 0.25
    for kind in dict.fromkeys(text.rpartition(".")[2] for text in scope.hints.names):
        if kind[:1].isupper() and (kind in scope.module.classes or hasattr(builtins, kind)):
            yield "str", f"{kind}({name})", 0.4


def _mixes_bytes(scope: Scope) -> bool:
    pairs = zip(scope.hints.actual, scope.hints.expected, strict=False)
    bare = any(left.lstrip().startswith("b") != right.lstrip().startswith("b") for left, right in pairs)
    return bare or scope.hints.said("bytes-like", "'bytes'", "bytes object", "must be str, not bytes", "bytes pattern")


def mirrored(node: ast.Compare, scope: Scope) -> Iterator[Edit]:
    """`a.lower() == b`: what is done to one side was meant for both."""
    if len(node.comparators) != 1:
        return
    for done, bare in ((node.left, node.comparators[0]), (node.comparators[0], node.left)):
        if isinstance(bare, ast.Constant | ast.Call) or not isinstance(done, ast.Call):
            continue
        if isinstance(done.func, ast.Attribute) and not done.args:
            end = scope.module.span(bare)[1]
            yield replace(end, end, f".{done.func.attr}()", f"`.{done.func.attr}()` on both sides", 1.0)


def mutable_default(node: ast.FunctionDef | ast.AsyncFunctionDef, scope: Scope) -> Iterator[Edit]:
    """`def f(xs=[])` shares one list between all calls."""
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
        inner = indent + scope.module.step
        body = f"{indent}if {argument.arg} is None:{newline}{inner}{argument.arg} = {text}{newline}"
        changes = (Change(*scope.module.span(default), "None"), Change(start, start, body))
        yield Edit(changes, f"every call gets its own `{argument.arg}`", 1.0)


def _expected(parent: ast.AST | None) -> float:
    if isinstance(parent, ast.Return):
        return 1.7  # what a function gives is turned for all who call it
    if isinstance(parent, ast.For | ast.comprehension | ast.BinOp | ast.Assign):
        return 1.0
    return 0.6 if isinstance(parent, ast.Call | ast.Compare | ast.Subscript | ast.keyword) else 0.3


TEMPLATES = [
    Template("coercion", 0.35, (ast.Name, ast.Attribute, ast.Call, ast.BinOp, ast.Subscript), wrapped),
    Template("coercion", 0.6, (ast.Subscript,), said),
    Template("coercion", 0.6, (ast.Attribute,), owner_turned),
    Template("coercion", 0.5, (ast.Call,), all_turned),
    Template("coercion", 0.6, Function.__args__, as_path),
    Template("coercion", 0.5, (ast.Call,), each_turned),
    Template("coercion", 0.5, (ast.Call, ast.Subscript), copied_deeply),
    Template("coercion", 0.35, Function.__args__, taken_as),
    Template("mirrored", 0.6, (ast.Compare,), mirrored),
    Template("mutable_default", 0.9, (ast.FunctionDef, ast.AsyncFunctionDef), mutable_default),
]
