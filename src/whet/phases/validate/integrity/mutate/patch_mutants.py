"""Small changes of the lines that a patch adds, to see whether tests notice them."""

import ast
import copy
import re
from collections.abc import Iterator, Sequence
from typing import Any, TypeVar

from whet.guard.content.added import added_lines
from whet.phases.validate.integrity.diff.conditions import Condition, new_conditions
from whet.phases.validate.integrity.mutate.patch_mutant import FORCED, LIMIT, SIBLING, TRUTH, PatchMutant, replaced
from whet.pyast.functions import Function

_SWAPPED: dict[type[ast.AST], type[ast.AST]] = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
    ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Is: ast.IsNot, ast.IsNot: ast.Is,
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Div, ast.Div: ast.Mult, ast.FloorDiv: ast.Div,
    ast.And: ast.Or, ast.Or: ast.And,
}  # fmt: skip
# Methods and functions that do the same for most inputs.
_SIBLINGS = (
    ("strip", "lstrip", "rstrip"), ("find", "rfind"), ("index", "rindex"), ("split", "rsplit"), ("min", "max"),
    ("any", "all"), ("lower", "casefold"), ("partition", "rpartition"), ("startswith", "endswith"), ("isdigit", "isalnum"),
)  # fmt: skip
_T = TypeVar("_T")
SPOKEN = {"warn", "debug", "info", "warning", "error", "exception", "critical", "log", "print"}
_SMALLEST_LIMIT, _SMALLEST_BOUND, _SMALLEST_REMAINDER, _FAR = 2, 3, 10, 1000
_BOUNDING = {"min", "max", "range", "islice", "itertools.islice"}


def patch_mutants(path: str, old: str, new: str, most: int) -> list[PatchMutant]:
    """Return at most `most` mutants: forced conditions and limits first, then operators and constants, evenly spaced."""
    try:
        tree = ast.parse(new)
    except (SyntaxError, ValueError, RecursionError):
        return []
    lines = added_lines(old, new)
    conditions = new_conditions(path, old, new)
    telling = [
        mutant
        for kind, node, text in [
            *_limits(tree, old),
            *_truths(conditions),
            *_defaults(tree, old),
            *_forced(conditions),
            *_siblings(tree, old),
        ]
        if node.lineno in lines and (mutant := replaced(path, new, node, text, kind))
    ]
    known = {mutant.source for mutant in telling}
    others = [
        mutant
        for node in _expressions(tree)
        if node.lineno in lines
        for other in _mutations(node)
        if (mutant := replaced(path, new, node, ast.unparse(other))) and mutant.source not in known
    ]
    room = max(most - len(telling), 0)
    return [*telling[:most], *evenly(others, room)]


def lines_to_run(old: str, new: str) -> list[int]:
    """Return the added lines on which a statement of a function begins; definitions and imports are left out."""
    try:
        tree = ast.parse(new)
    except (SyntaxError, ValueError, RecursionError):
        return []
    added = added_lines(old, new)
    left_out = Function | ast.ClassDef | ast.Import | ast.ImportFrom | ast.Global | ast.Nonlocal | ast.Pass
    starts = {
        node.lineno
        for function in ast.walk(tree)
        if isinstance(function, Function)
        for statement in function.body
        for node in ast.walk(statement)
        if isinstance(node, ast.stmt) and not isinstance(node, left_out) and not _is_text(node)
    }
    return sorted(starts & set(added))


def _forced(conditions: Sequence[Condition]) -> Iterator[tuple[str, ast.expr, str]]:
    for condition in conditions:
        yield from ((FORCED, condition.node, str(outcome)) for outcome in (True, False))


def _truths(conditions: Sequence[Condition]) -> Iterator[tuple[str, ast.expr, str]]:
    """Yield conditions on a bare value with the comparison with None in their place: 0 and "" are no longer false."""
    for condition in conditions:
        if isinstance(condition.node, ast.Name | ast.Attribute | ast.Subscript):
            yield TRUTH, condition.node, f"{condition.text} is not None"


def _defaults(tree: ast.Module, old: str) -> Iterator[tuple[str, ast.expr, str]]:
    """Yield `value or default`, new to the text, with a default for None alone: 0 and "" are values."""
    for node in ast.walk(tree):
        match node:
            case ast.BoolOp(op=ast.Or(), values=[ast.Name() | ast.Attribute() | ast.Subscript() as value, *rest]):
                if ast.unparse(node) not in old:
                    other = rest[0] if len(rest) == 1 else ast.BoolOp(ast.Or(), rest)
                    yield TRUTH, node, ast.unparse(ast.IfExp(_is_there(value), value, other))


def _is_there(value: ast.expr) -> ast.expr:
    return ast.Compare(value, [ast.IsNot()], [ast.Constant(None)])


def _siblings(tree: ast.Module, old: str) -> Iterator[tuple[str, ast.expr, str]]:
    """Yield calls of a function with one that does the same for most inputs, and numbers new to the text with the next."""
    for node in _expressions(tree):
        match node:
            case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name) as called, args=arguments, keywords=more):
                for sibling in sorted({item for group in _SIBLINGS if name in group for item in group} - {name}):
                    function = (
                        ast.Name(sibling) if isinstance(called, ast.Name) else ast.Attribute(called.value, sibling)
                    )
                    yield SIBLING, node, ast.unparse(ast.Call(function, arguments, more))
            case ast.Constant(value=int(value)) if value >= _SMALLEST_BOUND and not _is_mentioned(value, old):
                yield SIBLING, node, str(value + 1)


def _limits(tree: ast.Module, old: str) -> Iterator[tuple[str, ast.expr, str]]:
    """Yield larger values for numbers that bound a slice, a call such as `min`, a remainder or a comparison, if `old` lacks them."""
    for node in ast.walk(tree):
        match node:
            case ast.Slice(lower=lower, upper=upper):
                bounds, more = [lower, upper], [_FAR]
            case ast.Call(func=function, args=arguments) if ast.unparse(function) in _BOUNDING:
                bounds, more = [*arguments], [_FAR]
            case ast.BinOp(op=ast.Mod(), left=left, right=right) if not _is_literal_text(left):
                bounds, more = [right], [_FAR * _FAR]
            case ast.Compare(left=left, ops=[ast.Lt() | ast.LtE() | ast.Gt() | ast.GtE()], comparators=[right]):
                bounds, more = [left, right], [_FAR, 1]
            case _:
                continue
        for bound in bounds:
            match bound:
                case ast.Constant(value=int(value)) if not _is_mentioned(value, old):
                    yield from ((LIMIT, bound, str(value + step)) for step in more if value >= _smallest(step))


def _smallest(step: int) -> int:
    """Return the smallest number that this step enlarges. Small remainders, such as `% 2` or `% 7`, are seldom arbitrary limits."""
    return {_FAR: _SMALLEST_LIMIT, _FAR * _FAR: _SMALLEST_REMAINDER}.get(step, _SMALLEST_BOUND)


def _is_literal_text(node: ast.expr) -> bool:
    return isinstance(node, ast.JoinedStr) or (isinstance(node, ast.Constant) and isinstance(node.value, str))


def _is_mentioned(number: int, text: str) -> bool:
    return re.search(rf"\b{number}\b", text) is not None


def _expressions(tree: ast.AST) -> Iterator[ast.expr]:
    """Yield the expressions inside functions, without messages, annotations and the parts of f-strings."""
    for node in ast.iter_child_nodes(tree):
        match node:
            case ast.Raise() | ast.Assert() | ast.JoinedStr() | ast.arguments():
                continue
            case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name)) if name in SPOKEN:
                continue
            case ast.AnnAssign(value=value):
                yield from _expressions(ast.Expr(value)) if value is not None else ()
                continue
        if isinstance(node, ast.expr):
            yield node
        yield from _expressions(node)


def _mutations(node: ast.expr) -> Iterator[ast.expr]:
    other = copy.deepcopy(node)
    match other:
        case ast.Compare(ops=[operator]) if type(operator) in _SWAPPED:
            other.ops = [_swapped(operator)]
        case ast.BinOp(op=operator) | ast.BoolOp(op=operator) if type(operator) in _SWAPPED:
            other.op = _swapped(operator)
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            other = operand
        case ast.Constant(value=bool(value)):
            other.value = not value
        case ast.Constant(value=int(value)):
            other.value = value + 1
        case _:
            return
    yield other


def _swapped(operator: ast.AST) -> Any:
    return _SWAPPED[type(operator)]()


def evenly(items: Sequence[_T], most: int) -> list[_T]:
    """Return at most `most` of the items, evenly spaced."""
    step = max(-(-len(items) // most), 1) if most else 1
    return list(items[::step][:most])


def _is_text(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
