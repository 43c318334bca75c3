"""Text that comes out differently than wanted: what differs, looked up in the literals of the code."""

import ast
import re
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from functools import lru_cache

from whet.phases.propose.repair.candidate import Change, Edit, replace
from whet.phases.propose.repair.hints import Hints
from whet.phases.propose.repair.module import Scope
from whet.phases.propose.repair.templates.template import Template

_LONGEST = 4000
_MOST = 12
_PARTS = re.compile(r"\s+|[^\s]+")
_FIELD = re.compile(r"\{[^{}]*\}")


def reworded(node: ast.Constant, scope: Scope) -> Iterator[Edit]:
    """A literal that holds what came out and should have been something else."""
    if not isinstance(node.value, str) or not node.value or _in_f_string(node, scope):
        return
    for old, new in differences(scope.hints):
        if old in node.value:
            changed = node.value.replace(old, new)
            yield replace(*scope.module.span(node), _written(changed, scope), f"`{old}` becomes `{new}`", 1.0)


def reworded_everywhere(statement: ast.stmt, scope: Scope) -> Iterator[Edit]:
    """The same in all literals of a statement."""
    literals = [
        node
        for node in ast.walk(statement)
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and not _in_f_string(node, scope)
    ]
    for old, new in differences(scope.hints):
        found = [node for node in literals if old in str(node.value)]
        if len(found) > 1:
            changes = (
                Change(*scope.module.span(node), _written(str(node.value).replace(old, new), scope)) for node in found
            )
            yield Edit(tuple(changes), f"`{old}` becomes `{new}` everywhere", 1.1)


def swapped_fields(node: ast.Call, scope: Scope) -> Iterator[Edit]:
    """`"{:d}{}".format(a, b)` in the other order: the fields with what they show."""
    if not isinstance(node.func, ast.Attribute) or node.func.attr != "format" or len(node.args) != 2 or node.keywords:
        return
    text = node.func.value
    if not isinstance(text, ast.Constant) or not isinstance(text.value, str):
        return
    fields = _FIELD.findall(text.value)
    if len(fields) != 2 or not all(field[1:2] in ("}", ":", "!") for field in fields):
        return
    first, second = text.value.index(fields[0]), text.value.rindex(fields[1])
    between = text.value[first + len(fields[0]) : second]
    turned = text.value[:first] + fields[1] + between + fields[0] + text.value[second + len(fields[1]) :]
    one, other = node.args
    changes = (
        Change(*scope.module.span(text), _written(turned, scope)),
        Change(*scope.module.span(one), scope.module.text(other)),
        Change(*scope.module.span(other), scope.module.text(one)),
    )
    yield Edit(changes, "the two change places in the text", 0.7)


@lru_cache(maxsize=16)
def differences(hints: Hints) -> Sequence[tuple[str, str]]:
    """What came out and what was wanted in its place, word for word."""
    pairs: dict[tuple[str, str], None] = {}
    for left, right in zip(hints.actual, hints.expected, strict=False):
        actual, expected = ast.literal_eval(left), ast.literal_eval(right)
        if isinstance(actual, str) and isinstance(expected, str) and max(len(actual), len(expected)) <= _LONGEST:
            pairs |= dict.fromkeys(_differences(actual, expected))
    turned = [(new, old) for old, new in pairs if new.strip()]  # some write what they expect on the left
    return [*list(pairs)[:_MOST], *turned[:_MOST]]


def _differences(actual: str, expected: str) -> Iterator[tuple[str, str]]:
    ours, wanted = _PARTS.findall(actual), _PARTS.findall(expected)
    for tag, begin, end, first, last in SequenceMatcher(None, ours, wanted, autojunk=False).get_opcodes():
        old, new = "".join(ours[begin:end]), "".join(wanted[first:last])
        if tag == "replace" and old.strip():
            yield old, new
            yield from _inner(old, new)
        elif tag == "delete" and old.strip():
            yield old, ""


def _inner(old: str, new: str) -> Iterator[tuple[str, str]]:
    """Without what both begin and end with."""
    begin = next((i for i, (a, b) in enumerate(zip(old, new, strict=False)) if a != b), min(len(old), len(new)))
    end = next(
        (i for i, (a, b) in enumerate(zip(old[begin:][::-1], new[begin:][::-1], strict=False)) if a != b),
        min(len(old), len(new)) - begin,
    )
    inner = (old[begin : len(old) - end], new[begin : len(new) - end])
    if inner[0] and inner != (old, new):
        yield inner


def _written(text: str, scope: Scope) -> str:
    return scope.module.literal(repr(text))


def _in_f_string(node: ast.AST, scope: Scope) -> bool:
    return isinstance(scope.module.parents.get(node), ast.JoinedStr | ast.FormattedValue)


TEMPLATES = [
    Template("text", 0.7, (ast.Constant,), reworded),
    Template("text", 0.7, (ast.Assign, ast.Return, ast.Expr), reworded_everywhere),
    Template("text", 0.5, (ast.Call,), swapped_fields),
]
