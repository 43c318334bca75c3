"""Fix an index, a slice or a lookup: `a[0]` -> `a[-1]`, `a[1:]` -> `a[:-1]`, `d[k]` -> `d.get(k, 0)`."""

import ast
from collections.abc import Iterator

from whet.phases.propose.repair.candidate import Edit, replace, say
from whet.phases.propose.repair.scope import Scope
from whet.phases.propose.repair.templates.template import Template


def other_index(node: ast.Subscript, scope: Scope) -> Iterator[Edit]:
    if isinstance(node.slice, ast.Slice | ast.Tuple):
        return
    start, end = scope.module.span(node.slice)
    old = scope.module.text(node.slice)
    for new in ("0", "-1", "1", "-2"):
        if new != old and old.lstrip("-").isdigit():
            yield replace(start, end, new, say("Use {} instead of {}", f"[{new}]", f"[{old}]"), 0.8)
    if isinstance(node.slice, ast.Name) and isinstance(node.ctx, ast.Load):
        for new in (f"-{old}", f":{old}"):
            yield replace(start, end, new, say("Use {} instead of {}", f"[{new}]", f"[{old}]"), 0.3)


def drop_subscript(node: ast.Subscript, scope: Scope) -> Iterator[Edit]:
    """Use only the index or only the collection: `a[i]` -> `i` or `a`."""
    if not isinstance(node.ctx, ast.Load) or isinstance(node.slice, ast.Slice | ast.Tuple):
        return
    returned = isinstance(scope.module.parents.get(node), ast.Return | ast.Assign | ast.Call)
    text = scope.module.text(node)
    if isinstance(node.slice, ast.Name | ast.Attribute):
        key = scope.module.text(node.slice)
        yield replace(*scope.module.span(node), key, say("Use {} instead of {}", key, text), 0.8 if returned else 0.3)
    owner = scope.module.text(node.value)
    yield replace(*scope.module.span(node), owner, say("Use {} instead of {}", owner, text), 0.4 if returned else 0.2)


def other_slice(node: ast.Subscript, scope: Scope) -> Iterator[Edit]:
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
            yield replace(start, end, new, say("Use {} instead of {}", f"[{new}]", f"[{old}]"), weight)


def length_of_row(node: ast.Call, scope: Scope) -> Iterator[Edit]:
    """Take the length of the first row: `len(rows)` -> `len(rows[0])`."""
    if isinstance(node.func, ast.Name) and node.func.id == "len" and node.args and isinstance(node.args[0], ast.Name):
        end = scope.module.span(node.args[0])[1]
        name = node.args[0].id
        yield replace(end, end, "[0]", say("Take the length of {} instead of {}", f"{name}[0]", name), 0.5)


def start_count(node: ast.AugAssign, scope: Scope) -> Iterator[Edit]:
    """Give a count a start value: `d[k] += 1` -> `d[k] = d.get(k, 0) + 1`."""
    target = node.target
    sign = {ast.Add: "+", ast.Sub: "-"}.get(type(node.op))
    if not isinstance(target, ast.Subscript) or isinstance(target.slice, ast.Slice | ast.UnaryOp) or sign is None:
        return
    owner, key, whole = (
        scope.module.as_operand(target.value),
        scope.module.text(target.slice),
        scope.module.text(target),
    )
    for first in _start_values(node.value):
        text = (
            f"{whole} = {owner}.get({key}, {scope.module.literal(first)}) {sign} {scope.module.as_operand(node.value)}"
        )
        yield replace(
            *scope.module.span(node), text, say("Start {} {here} at {}", whole, scope.module.literal(first)), 1.0
        )


def _start_values(value: ast.expr) -> tuple[str, ...]:
    """Return the empty values that `value` can be added to."""
    if isinstance(value, ast.List | ast.ListComp):
        return ("[]",)
    if isinstance(value, ast.JoinedStr) or (isinstance(value, ast.Constant) and isinstance(value.value, str)):
        return ("''",)
    return ("0",) if isinstance(value, ast.Constant) else ("0", "[]", "''")


def use_get(node: ast.AST, scope: Scope) -> Iterator[Edit]:
    """Replace `d[k]` by `d.get(k, default)`, or give `d.get(k)` a default."""
    if isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Load):
        if isinstance(node.slice, ast.Slice | ast.UnaryOp):
            return
        owner, key = scope.module.as_operand(node.value), scope.module.text(node.slice)
        start, end = scope.module.span(node)
        missing = "KeyError" in scope.hints.exceptions
        for default in _defaults(scope):
            text = f"{owner}.get({key}{default})"
            yield replace(
                start, end, text, say("Use {} instead of {}", text, scope.module.text(node)), 1.5 if missing else 0.25
            )
    elif isinstance(node, ast.Call) and _is_plain_get(node):
        end = scope.module.span(node.args[0])[1]
        for default in _defaults(scope)[1:]:
            yield replace(
                end, end, default, say("Use {} as the default of {}", default[2:], scope.module.text(node.func)), 0.9
            )


def _is_plain_get(node: ast.Call) -> bool:
    return isinstance(node.func, ast.Attribute) and node.func.attr == "get" and len(node.args) == 1


def _slices(lower: str, upper: str, step: str) -> Iterator[tuple[str, float]]:
    """Yield other slices with the same bounds, each with its weight."""
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
    """Return second arguments for `get`: none, then values that the tests expect, then the usual empty values."""
    expected = [text for text in scope.hints.expected if text in ("None", "0", "''", "[]", "{}", "False", "0.0", "-1")]
    usual = ["0", '""', "[]", "{}", "False", "None"]
    names = [name for name in scope.parameters if "default" in name or name in scope.unused_parameters]
    names += [name for name in scope.module.globals if "DEFAULT" in name]
    texts = dict.fromkeys((*names, *map(scope.module.literal, expected), *usual))
    return ["", *(f", {text}" for text in texts if text != "None")]


TEMPLATES = [
    Template("subscript", 0.65, (ast.Subscript,), other_index),
    Template("subscript", 0.7, (ast.Subscript,), other_slice),
    Template("subscript", 0.55, (ast.Subscript,), drop_subscript),
    Template("subscript", 0.4, (ast.Call,), length_of_row),
    Template("lookup", 0.5, (ast.AugAssign,), start_count),
    Template("lookup", 0.5, (ast.Subscript, ast.Call), use_get),
]
