r"""Change a regular expression that matches too much or too little: `"[a-z]"` -> `r"\w"`."""

import ast
import re
import warnings
from collections.abc import Iterator

from whet.phases.propose.repair.candidate import Edit, replace, say
from whet.phases.propose.repair.scope import Scope
from whet.phases.propose.repair.templates.template import Template

_CALLS = ("compile", "match", "search", "fullmatch", "findall", "finditer", "sub", "subn", "split")
_MODULES = ("re", "regex")
_PARTS: tuple[tuple[str, str, float], ...] = (
    (r"\[a-z\]", r"\w", 0.7), (r"\[A-Z\]", r"\w", 0.4), (r"\[a-zA-Z\]|\[A-Za-z\]", r"\w", 0.7),
    (r"\[a-z\]", "[a-zA-Z]", 0.6), (r"\[A-Z\]", "[a-zA-Z]", 0.6), (r"\[0-9\]", r"\d", 0.3),
    (r"\\d", r"\w", 0.3), (r"\\w", r"\S", 0.4), (r"\\w", "[^\\W\\d_]", 0.2), (r" ", r"\s", 0.5), (r"\\s", r"[ \t]", 0.3),
    (r"(?<!\\)\.(?![*+?])", r"\.", 0.6), (r"\\\.", ".", 0.2),
)  # fmt: skip
_COUNTS = {"+": ("*", "", "+?", "{2,}"), "*": ("+", "*?", ""), "?": ("", "*", "+")}


def other_pattern(node: ast.Call, scope: Scope) -> Iterator[Edit]:
    pattern = node.args[0] if _module(node) and node.args else None
    if not isinstance(pattern, ast.Constant) or not isinstance(pattern.value, str):
        return
    for new, weight in dict(_variants(pattern.value)).items():
        if new != pattern.value and _compiles(new):
            text = _raw(new, scope)
            yield replace(
                *scope.module.span(pattern), text, say("Change the pattern {} to {}", pattern.value, new), weight
            )


def add_flag(node: ast.Call, scope: Scope) -> Iterator[Edit]:
    module = _module(node)
    if not module or any(keyword.arg == "flags" for keyword in node.keywords):
        return
    end = scope.module.span(node)[1] - 1
    for flag in ("IGNORECASE", "MULTILINE", "DOTALL", "UNICODE"):
        yield replace(end, end, f", flags={module}.{flag}", say("Match with {}", flag), 0.5)


def _module(node: ast.Call) -> str:
    """Return the name of the module whose matching function this calls; empty for any other call."""
    function = node.func
    if not isinstance(function, ast.Attribute) or not isinstance(function.value, ast.Name):
        return ""
    return function.value.id if function.value.id in _MODULES and function.attr in _CALLS else ""


def _variants(pattern: str) -> Iterator[tuple[str, float]]:
    for old, new, weight in _PARTS:
        for match in re.finditer(old, pattern):
            yield pattern[: match.start()] + new + pattern[match.end() :], weight
    for place, sign in enumerate(pattern):
        escaped = pattern[:place].endswith("\\")
        if sign in _COUNTS and not escaped and place and pattern[place - 1] not in "(|?*+":
            for other in _COUNTS[sign]:
                yield pattern[:place] + other + pattern[place + 1 :], 0.6
        if sign in ")]" and not escaped and pattern[place + 1 : place + 2] not in ("*", "+", "?", "{"):
            for count in ("+", "*", "?"):
                yield pattern[: place + 1] + count + pattern[place + 1 :], 0.4
    for begin, end in (("^", ""), ("", "$"), (r"\b", ""), ("", r"\b"), ("^", "$")):
        yield f"{begin}{pattern}{end}", 0.4
    yield pattern.removeprefix("^"), 0.4
    yield pattern.removesuffix("$"), 0.4


def _compiles(pattern: str) -> bool:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            re.compile(pattern)
    except (re.error, OverflowError, RecursionError):
        return False
    return True


def _raw(pattern: str, scope: Scope) -> str:
    for quote in ('"', "'") if scope.module.source.count('"') > scope.module.source.count("'") else ("'", '"'):
        if quote not in pattern and "\n" not in pattern and not pattern.endswith("\\"):
            return f"r{quote}{pattern}{quote}" if "\\" in pattern else f"{quote}{pattern}{quote}"
    return repr(pattern)


TEMPLATES = [
    Template("pattern", 0.6, (ast.Call,), other_pattern),
    Template("pattern", 0.4, (ast.Call,), add_flag),
]
