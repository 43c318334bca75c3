"""Change literals by the difference between actual and expected text: `"width of "` -> `"height of "`."""

import ast
import re
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from functools import lru_cache

from whet.phases.propose.repair.candidate import Edit, Replacement, Summary, replace, say
from whet.phases.propose.repair.hints import Hints
from whet.phases.propose.repair.scope import Scope
from whet.phases.propose.repair.templates.template import Template

_LONGEST = 4000
_MOST = 12
_PARTS = re.compile(r"\s+|[^\s]+")
_FIELD = re.compile(r"\{[^{}]*\}")


def reword(node: ast.Constant, scope: Scope) -> Iterator[Edit]:
    """Replace words of a literal that the tests expect to be different."""
    if not isinstance(node.value, str) or not node.value or _in_f_string(node, scope):
        return
    for old, new in differences(scope.hints):
        if old in node.value:
            literal = _literal(node.value.replace(old, new), scope)
            yield replace(*scope.module.span(node), literal, _summary(old, new), 1.0)


def reword_everywhere(statement: ast.stmt, scope: Scope) -> Iterator[Edit]:
    """Replace the words in all literals of a statement."""
    literals = [
        node
        for node in ast.walk(statement)
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and not _in_f_string(node, scope)
    ]
    for old, new in differences(scope.hints):
        containing = [node for node in literals if old in str(node.value)]
        if len(containing) > 1:
            replacements = [
                Replacement(*scope.module.span(node), _literal(str(node.value).replace(old, new), scope))
                for node in containing
            ]
            yield Edit(tuple(replacements), _summary(old, new, " everywhere"), 1.1)


def _summary(old: str, new: str, where: str = "") -> Summary:
    return say(f"Write {{}} instead of {{}}{where}", repr(new), repr(old))


def swap_fields(node: ast.Call, scope: Scope) -> Iterator[Edit]:
    """Swap two fields together with their values: `"{:d}{}".format(a, b)` -> `"{}{:d}".format(b, a)`."""
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
    swapped = text.value[:first] + fields[1] + between + fields[0] + text.value[second + len(fields[1]) :]
    left, right = (scope.module.text(argument) for argument in node.args)
    replacements = (
        Replacement(*scope.module.span(text), _literal(swapped, scope)),
        Replacement(*scope.module.span(node.args[0]), right),
        Replacement(*scope.module.span(node.args[1]), left),
    )
    yield Edit(replacements, say("Swap {} and {} in the text", left, right), 0.7)


@lru_cache(maxsize=16)
def differences(hints: Hints) -> Sequence[tuple[str, str]]:
    """Return (actual, expected) for each stretch of words in which the compared texts differ."""
    pairs: dict[tuple[str, str], None] = {}
    for left, right in zip(hints.actual, hints.expected, strict=False):
        actual, expected = ast.literal_eval(left), ast.literal_eval(right)
        if isinstance(actual, str) and isinstance(expected, str) and max(len(actual), len(expected)) <= _LONGEST:
            pairs |= dict.fromkeys(_differences(actual, expected))
    reversed_pairs = [(new, old) for old, new in pairs if new.strip()]  # some tests have the expected value on the left
    return [*list(pairs)[:_MOST], *reversed_pairs[:_MOST]]


def _differences(actual: str, expected: str) -> Iterator[tuple[str, str]]:
    left, right = _PARTS.findall(actual), _PARTS.findall(expected)
    for tag, begin, end, first, last in SequenceMatcher(None, left, right, autojunk=False).get_opcodes():
        old, new = "".join(left[begin:end]), "".join(right[first:last])
        if tag == "replace" and old.strip():
            yield old, new
            yield from _inner(old, new)
        elif tag == "delete" and old.strip():
            yield old, ""


def _inner(old: str, new: str) -> Iterator[tuple[str, str]]:
    """Yield the pair without its common beginning and end, if that is shorter."""
    begin = next((i for i, (a, b) in enumerate(zip(old, new, strict=False)) if a != b), min(len(old), len(new)))
    end = next(
        (i for i, (a, b) in enumerate(zip(old[begin:][::-1], new[begin:][::-1], strict=False)) if a != b),
        min(len(old), len(new)) - begin,
    )
    inner = (old[begin : len(old) - end], new[begin : len(new) - end])
    if inner[0] and inner != (old, new):
        yield inner


def _literal(text: str, scope: Scope) -> str:
    return scope.module.literal(repr(text))


def _in_f_string(node: ast.AST, scope: Scope) -> bool:
    return isinstance(scope.module.parents.get(node), ast.JoinedStr | ast.FormattedValue)


TEMPLATES = [
    Template("text", 0.7, (ast.Constant,), reword),
    Template("text", 0.7, (ast.Assign, ast.Return, ast.Expr), reword_everywhere),
    Template("text", 0.5, (ast.Call,), swap_fields),
]
