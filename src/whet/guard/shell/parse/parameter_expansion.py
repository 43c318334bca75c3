"""Apply the operators of parameter expansion: `${x:-default}`, `${x#prefix}`, `${x/a/b}`, `${x^^}`."""

import re
from collections.abc import Callable
from fnmatch import translate
from functools import lru_cache

from whet.guard.shell.model.placeholders import UNKNOWN, is_known

SHAPE = re.compile(
    r"\$\{(?P<prefix>[!#]?)(?P<name>\w+|[@*#?$!-])(?P<index>\[[^\]]*\])?(?P<op>:[-=+?]|[-=+?]|##?|%%?|/[/#%]?|:"
    r"|\^\^?|,,?|@)?",
)
_MAX_PATTERN = 64  # characters; trimming tries every length of the value


def apply(operator: str, value: str | None, operand: str) -> str:
    """Return the expansion of a variable. `value` is None if the text does not set the variable."""
    match operator:
        case ":-" | "-" | ":=" | "=":
            return value if value else operand
        case ":+" | "+":
            return operand
        case ":?" | "?" | "":
            return UNKNOWN if value is None else value
    if value is None or not is_known(value):
        return UNKNOWN
    return _transform(operator, value, operand)


def _transform(operator: str, value: str, operand: str) -> str:
    match operator:
        case "^":
            return value[:1].upper() + value[1:]
        case "^^":
            return value.upper()
        case ",":
            return value[:1].lower() + value[1:]
        case ",,":
            return value.lower()
        case ":":
            return _slice(value, operand)
        case "#" | "##" | "%" | "%%":
            return _trim(operator, value, operand)
        case "/" | "//" | "/#" | "/%":
            return _replace(operator, value, operand)
    return UNKNOWN


def _slice(value: str, operand: str) -> str:
    first, colon, length = operand.partition(":")
    try:
        start, count = int(first.strip() or 0), int(length.strip() or 0) if colon else None
    except ValueError:
        return UNKNOWN
    start = max(len(value) + start, 0) if start < 0 else start
    if count is None:
        return value[start:]
    return value[start : start + count] if count >= 0 else value[start:count]


def _trim(operator: str, value: str, pattern: str) -> str:
    if not is_known(pattern) or len(pattern) > _MAX_PATTERN or len(value) > 4 * _MAX_PATTERN:
        return UNKNOWN
    matches = _compiled_matcher(pattern)
    lengths = range(len(value) + 1) if len(operator) == 1 else range(len(value), -1, -1)
    for length in lengths:
        if operator[0] == "#" and matches(value[:length]):
            return value[length:]
        if operator[0] == "%" and matches(value[len(value) - length :]):
            return value[: len(value) - length]
    return value


def _replace(operator: str, value: str, operand: str) -> str:
    pattern, _, new = operand.partition("/")
    if not pattern or not is_known(operand) or set(pattern) & set("*?["):
        return UNKNOWN
    if operator == "/#":
        return new + value[len(pattern) :] if value.startswith(pattern) else value
    if operator == "/%":
        return value[: -len(pattern)] + new if value.endswith(pattern) else value
    return value.replace(pattern, new, -1 if operator == "//" else 1)


@lru_cache(maxsize=256)
def _compiled_matcher(pattern: str) -> Callable[[str], object]:
    return re.compile(translate(pattern)).match
