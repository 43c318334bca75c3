"""Wrong index or slice: first for last, `[1:]` for `[:-1]`, a lookup that should allow for a missing key."""

import ast
from collections.abc import Iterator

from whet.phases.propose.repair.candidate import Edit, replace
from whet.phases.propose.repair.module import Scope
from whet.phases.propose.repair.templates.template import Template


def index(node: ast.Subscript, scope: Scope) -> Iterator[Edit]:
    if isinstance(node.slice, ast.Slice | ast.Tuple):
        return
    start, end = scope.module.span(node.slice)
    old = scope.module.text(node.slice)
    for new in ("0", "-1", "1", "-2"):
        if new != old and old.lstrip("-").isdigit():
            yield replace(start, end, new, f"`[{old}]` becomes `[{new}]`", 0.8)
    if isinstance(node.slice, ast.Name) and isinstance(node.ctx, ast.Load):
        yield replace(start, end, f"-{old}", f"`[{old}]` becomes `[-{old}]`", 0.3)
        yield replace(start, end, f":{old}", f"`[{old}]` becomes `[:{old}]`", 0.3)


def part(node: ast.Subscript, scope: Scope) -> Iterator[Edit]:
    """The place for the thing, or the whole for a part of it."""
    if not isinstance(node.ctx, ast.Load) or isinstance(node.slice, ast.Slice | ast.Tuple):
        return
    returned = isinstance(scope.module.parents.get(node), ast.Return | ast.Assign | ast.Call)
    if isinstance(node.slice, ast.Name | ast.Attribute):
        key = scope.module.text(node.slice)
        yield replace(*scope.module.span(node), key, f"`{key}` itself", 0.8 if returned else 0.3)
    owner = scope.module.text(node.value)
    yield replace(*scope.module.span(node), owner, f"all of `{owner}`", 0.4 if returned else 0.2)


def slice_bounds(node: ast.Subscript, scope: Scope) -> Iterator[Edit]:
    if not isinstance(node.slice, ast.Slice):
        return
    start, end = scope.module.span(node.slice)
    old = scope.module.source[start:end]
    lower, upper, step = (
        scope.module.text(bound) if bound is not None else ""
        for bound in (node.slice.lower, node.slice.upper, node.slice.step)
    )
    for new, weight in _slices(lower, upper, step):
        if new != old:
            yield replace(start, end, new, f"`[{old}]` becomes `[{new}]`", weight)


def first_of(node: ast.Call, scope: Scope) -> Iterator[Edit]:
    """The length of the whole where that of a row was meant."""
    if isinstance(node.func, ast.Name) and node.func.id == "len" and node.args and isinstance(node.args[0], ast.Name):
        end = scope.module.span(node.args[0])[1]
        yield replace(end, end, "[0]", f"the length of `{node.args[0].id}[0]`", 0.5)


def counted(node: ast.AugAssign, scope: Scope) -> Iterator[Edit]:
    """`d[k] += 1` where nothing is under that key yet."""
    target = node.target
    sign = {ast.Add: "+", ast.Sub: "-"}.get(type(node.op))
    if not isinstance(target, ast.Subscript) or isinstance(target.slice, ast.Slice | ast.UnaryOp) or sign is None:
        return
    owner, key, whole = scope.module.closed(target.value), scope.module.text(target.slice), scope.module.text(target)
    for first in _firsts(node.value):
        text = f"{whole} = {owner}.get({key}, {scope.module.literal(first)}) {sign} {scope.module.closed(node.value)}"
        yield replace(*scope.module.span(node), text, f"`{whole}` begins with `{first}`", 1.0)


def _firsts(value: ast.expr) -> tuple[str, ...]:
    """What the first one is added to."""
    if isinstance(value, ast.List | ast.ListComp):
        return ("[]",)
    if isinstance(value, ast.JoinedStr) or (isinstance(value, ast.Constant) and isinstance(value.value, str)):
        return ("''",)
    return ("0",) if isinstance(value, ast.Constant) else ("0", "[]", "''")


def lookup(node: ast.AST, scope: Scope) -> Iterator[Edit]:
    """`d[k]` becomes `d.get(k, default)`, and the other way round."""
    if isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Load):
        if isinstance(node.slice, ast.Slice | ast.UnaryOp):
            return
        owner, key = scope.module.closed(node.value), scope.module.text(node.slice)
        start, end = scope.module.span(node)
        missing = "KeyError" in scope.hints.exceptions
        for default in _defaults(scope):
            text = f"{owner}.get({key}{default})"
            yield replace(start, end, text, f"a missing `{key}` is allowed for", 1.5 if missing else 0.25)
    elif isinstance(node, ast.Call) and _is_plain_get(node):
        end = scope.module.span(node.args[0])[1]
        for default in _defaults(scope)[1:]:
            yield replace(end, end, default, f"the default is {default[2:]}", 0.9)


def _is_plain_get(node: ast.Call) -> bool:
    return isinstance(node.func, ast.Attribute) and node.func.attr == "get" and len(node.args) == 1


def _slices(lower: str, upper: str, step: str) -> Iterator[tuple[str, float]]:
    tail = f":{step}" if step else ""
    if lower and upper:
        yield f"{lower}:{tail}", 0.6
        yield f":{upper}{tail}", 0.6
    elif lower and not lower.startswith("-"):
        yield f":{lower}{tail}", 0.7
        yield f"-{lower}:{tail}", 0.7
        yield f":-{lower}{tail}", 0.6
        yield f"{lower}:-1{tail}", 0.4
    elif lower:
        yield f"{lower[1:]}:{tail}", 0.6
        yield f":{lower}{tail}", 0.6
    elif upper and not upper.startswith("-"):
        yield f"{upper}:{tail}", 0.7
        yield f"-{upper}:{tail}", 0.7
        yield f":-{upper}{tail}", 0.5
        yield f"1:{upper}{tail}", 0.4
    elif upper:
        yield f"{upper[1:]}:{tail}", 0.6
        yield f":{upper[1:]}{tail}", 0.6
    if lower or upper:
        yield f":{tail}", 0.3
    if not step:
        yield f"{lower}:{upper}:-1", 0.4
        if upper:
            yield f"{lower}::{upper}", 0.4
        yield f"{lower}:{upper}:2", 0.15
    elif step.startswith("-"):
        yield f"{lower}:{upper}", 0.4


def _defaults(scope: Scope) -> list[str]:
    """Second arguments for `get`: none, then what the tests expect, then the usual empty values."""
    wanted = [text for text in scope.hints.expected if text in ("None", "0", "''", "[]", "{}", "False", "0.0", "-1")]
    usual = ["0", '""', "[]", "{}", "False", "None"]
    names = [name for name in scope.parameters if "default" in name or name in scope.unused]
    names += [name for name in scope.module.globals if "DEFAULT" in name]
    texts = dict.fromkeys((*names, *map(scope.module.literal, wanted), *usual))
    return ["", *(f", {text}" for text in texts if text != "None")]


TEMPLATES = [
    Template("subscript", 0.65, (ast.Subscript,), index),
    Template("subscript", 0.7, (ast.Subscript,), slice_bounds),
    Template("subscript", 0.55, (ast.Subscript,), part),
    Template("subscript", 0.4, (ast.Call,), first_of),
    Template("lookup", 0.5, (ast.AugAssign,), counted),
    Template("lookup", 0.5, (ast.Subscript, ast.Call), lookup),
]
