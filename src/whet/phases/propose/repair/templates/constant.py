"""Use another literal: `a * 10` -> `a * 11`, `True` -> `False`, `" ".join(a)` -> `",".join(a)`."""

import ast
from collections.abc import Iterator

from whet.phases.propose.repair.candidate import Edit, Replacement, replace, say
from whet.phases.propose.repair.scope import Scope
from whet.phases.propose.repair.templates.template import Template

_MOST_BORROWED = 8
_ROUND = 0.3  # for a round number that would become 101 or 59: such a patch is often fitted to the tests


def other_literal(node: ast.Constant, scope: Scope) -> Iterator[Edit]:
    if isinstance(scope.module.parents.get(node), ast.JoinedStr | ast.FormattedValue):
        return
    start, end = scope.module.span(node)
    old = scope.module.text(node)
    tried = {old, repr(node.value)}
    for text, weight, borrowed in _others(node, scope):
        if text not in tried:
            tried.add(text)
            literal = scope.module.literal(text)
            replacement = Replacement(start, end, literal)
            yield Edit((replacement,), say("Use {} instead of {}", literal, old), weight, borrowed)


def other_empty_value(node: ast.List | ast.Dict | ast.Tuple | ast.Call, scope: Scope) -> Iterator[Edit]:
    """Use another empty value: `{}` -> `[]`."""
    text = scope.module.text(node)
    if text not in ("[]", "{}", "()", "set()", "list()", "dict()"):
        return
    start, end = scope.module.span(node)
    for other in ("[]", "{}", "set()", "None", '""', "0"):
        if other != text:
            yield replace(start, end, other, say("Use {} instead of {}", other, text), 0.5)


def _others(node: ast.Constant, scope: Scope) -> Iterator[tuple[str, float, bool]]:
    """Yield (literal, weight, whether only the failing test mentions it)."""
    value = node.value
    if isinstance(value, bool):
        yield repr(not value), 1.2, False
        yield "None", 0.3, False
    elif isinstance(value, int | float):
        if value == 0 and isinstance(scope.module.parents.get(node), ast.Subscript):
            yield "-1", 1.3, False  # the last item instead of the first is confused more often than the second
        yield from _numbers(value)
    elif isinstance(value, str):
        yield from ((repr(text), weight, False) for text, weight in _texts(value))
    elif value is None:
        for text, weight in (
            ("False", 0.5),
            ("0", 0.5),
            ("[]", 0.5),
            ("''", 0.5),
            ("True", 0.4),
            ("{}", 0.4),
        ):
            yield text, weight, False
    own = set(scope.constants)
    for text in scope.constants[:20]:
        if _same_kind(text, value):
            yield text, 0.45, False
    for position, text in enumerate(scope.hints.expected + scope.hints.constants):
        if position < _MOST_BORROWED and _same_kind(text, value) and text not in own:
            yield text, 0.35, True


def _numbers(value: int | float) -> Iterator[tuple[str, float, bool]]:
    step = 1 if isinstance(value, int) else 1.0
    usual = _ROUND if value >= 10 and (value % 10 == 0 or value in _WELL_KNOWN) else 1.0
    yield repr(value + step), usual, False
    yield repr(value - step), usual, False
    if value == 0:
        yield ("1" if isinstance(value, int) else "1.0"), 1.0, False
        yield "2", 0.5, False
        yield "None", 0.3, False
        yield "float('inf')", 0.3, False
        yield "float('-inf')", 0.5, False
    else:
        yield ("0" if isinstance(value, int) else "0.0"), 0.8, False
        yield repr(-value), 0.7, False
        yield repr(value * 10), 0.4, False
        yield repr(value * 2), 0.25, False
        yield repr(value * 100), 0.2, False
        if isinstance(value, int):
            yield from _misremembered(value)
            yield repr(value // 10 if value % 10 == 0 else value + 2), 0.4, False
        else:
            yield repr(round(value / 10, 12)), 0.4, False


_DATE_FORMATS = tuple(
    pair
    for first, second in (
        ("%m", "%M"),
        ("%H", "%I"),
        ("%y", "%Y"),
        ("%b", "%B"),
        ("%a", "%A"),
        ("%d", "%m"),
        ("%d", "%j"),
    )
    for pair in ((first, second), (second, first))
)


def _misremembered(value: int) -> Iterator[tuple[str, float, bool]]:
    """Yield the number with two digits swapped, and well-known numbers of about the same size."""
    digits = str(abs(value))
    for place in range(len(digits) - 1 if len(digits) > 2 else 0):
        swapped = digits[:place] + digits[place + 1] + digits[place] + digits[place + 2 :]
        if swapped != digits and swapped[0] != "0":
            yield swapped, 0.5, False
    for number in _WELL_KNOWN:
        if value != number and max(value, number) <= 4 * max(min(value, number), 1):
            yield str(number), 0.45, False


_WELL_KNOWN = (
    2,
    7,
    10,
    12,
    24,
    26,
    28,
    30,
    31,
    52,
    60,
    100,
    128,
    180,
    255,
    256,
    360,
    365,
    366,
    400,
    1000,
    1024,
    3600,
    86400,
)


def _texts(value: str) -> Iterator[tuple[str, float]]:
    if value == "":
        yield " ", 0.5
    elif value.isspace():
        yield "", 0.6
        yield "\n", 0.3
    else:
        for other in (
            value.lower(),
            value.upper(),
            value.capitalize(),
            value.strip(),
            value + " ",
            value + "s",
        ):
            yield other, 0.4
        yield "", 0.25
        for old, new in (
            (", ", ","),
            (",", ", "),
            ("_", "-"),
            ("-", "_"),
            ("_", " "),
            *_DATE_FORMATS,
        ):
            if old in value:
                yield value.replace(old, new), 0.4
    if len(value) <= 2 and not value.isalnum():
        for other in (",", ", ", " ", "\n", "", "-", "_", ";", ":", ".", "/", "\t"):
            yield other, 0.35
    for old, new in (("r", "w"), ("w", "a"), ("a", "w"), ("<", ">"), (">", "<")):
        if value == old:
            yield new, 0.7


def _same_kind(text: str, value: object) -> bool:
    try:
        other = ast.literal_eval(text)
    except (ValueError, SyntaxError):
        return False
    if isinstance(value, bool) or value is None:
        return other is None or isinstance(other, bool)
    if isinstance(value, int | float):
        return isinstance(other, int | float) and not isinstance(other, bool)
    return isinstance(other, type(value))


TEMPLATES = [
    Template("constant", 0.6, (ast.Constant,), other_literal),
    Template("constant", 0.3, (ast.List, ast.Dict, ast.Tuple, ast.Call), other_empty_value),
]
