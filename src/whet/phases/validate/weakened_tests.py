"""Tests of the base that a change weakens: assertions that are gone, expect something else or run only sometimes.

The tests of the base judge the change, so a weakened test hides nothing in this proof. It will judge the next change.
"""

import ast
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from whet.domain.suite import Outcome, SuiteReport
from whet.phases.validate.integrity.safeguards.reached_assertions import is_assertion
from whet.pyast.functions import Function, functions

_NOT_RUN = {
    Outcome.SKIPPED: "skips",
    Outcome.XFAILED: "expects the failure of",
    Outcome.XPASSED: "expects the failure of",
}
_CATCHING = ("suppress", "raises", "assertRaises")
_LONGEST = 80
_TOLERANCE = re.compile(r"\b(?:abs|rel|atol|rtol|delta|places|tolerance)=")


@dataclass(frozen=True)
class _Assertion:
    """One assertion: its text, the conditions that it runs under, and its line.

    `exact` is true if it names the value or the exception that it expects, without a tolerance.
    """

    text: str
    conditions: tuple[str, ...]
    line: int
    exact: bool


def weakened_tests(texts: Mapping[str, tuple[str, str]]) -> list[str]:
    """Return one sentence per weakened function of these test files, given their old and new texts by path."""
    return [sentence for path, (old, new) in texts.items() for sentence in _of_file(path, old, new)]


def disabled_tests(before: SuiteReport, with_own: SuiteReport) -> list[str]:
    """Return one sentence per test that passes with the test files of the base and does not run with those of the change."""
    changed = {test: with_own.outcomes.get(test) for test in sorted(before.passed)}
    return [f"it {_NOT_RUN[outcome]} {test}" for test, outcome in changed.items() if outcome in _NOT_RUN]


def _of_file(path: str, old: str, new: str) -> Iterator[str]:
    before, after = _parsed(old), _parsed(new)
    if before is None or after is None:
        return
    now = functions(after)
    dropped = Counter(item.text for item in _assertions(before)) - Counter(item.text for item in _assertions(after))
    for name, node in functions(before).items():
        later = now.get(name)
        if isinstance(node, Function) and isinstance(later, Function) and (words := _weakened(node, later, dropped)):
            yield f"{path}::{name.replace('.', '::')} {words}"


def _weakened(old: Function, new: Function, dropped: Counter[str]) -> str:
    """Describe how the new version of a test asserts less than the old one; empty if it does not.

    `dropped` counts the assertions that are nowhere in the file any more; an assertion that moved is not among them. A
    rewritten test counts as equally strict if it has at least as many assertions, and as many exact ones.
    """
    before, after = list(_assertions(old)), list(_assertions(new))
    kept = Counter(item.text for item in after)
    gone = [item for item in before if not _take(kept, item.text) and dropped[item.text] > 0]
    if gone and len(after) < len(before):
        return f"no longer asserts `{_short(gone[0].text)}` (line {gone[0].line} before)"
    if gone and sum(item.exact for item in after) < sum(item.exact for item in before):
        lost = next((item for item in gone if item.exact), gone[0])
        return f"asserts less than `{_short(lost.text)}` (line {lost.line} before)"
    conditions = {item.text: item.conditions for item in before}
    for item in after:
        if added := [words for words in item.conditions if words not in conditions.get(item.text, item.conditions)]:
            return f"asserts `{_short(item.text)}` only {added[0]} (line {item.line})"
    last = max((item.line for item in after), default=0)
    if (early := _first_return(new, last)) and not _first_return(old, max((item.line for item in before), default=0)):
        return f"returns in line {early}, before its last assertion"
    return ""


def _take(counter: Counter[str], text: str) -> bool:
    if counter[text] > 0:
        counter[text] -= 1
        return True
    return False


def _assertions(node: ast.AST, conditions: tuple[str, ...] = ()) -> Iterator[_Assertion]:
    """Yield the assertions below a node, each with the conditions that it runs under."""
    for child in ast.iter_child_nodes(node):
        if is_assertion(child):
            text = ast.unparse(child.test if isinstance(child, ast.Assert) else child)
            yield _Assertion(text, conditions, getattr(child, "lineno", 0), _is_exact(child, text))
        yield from _assertions(child, (*conditions, *_condition(child)))


def _is_exact(node: ast.AST, text: str) -> bool:
    if _TOLERANCE.search(text):
        return False
    if isinstance(node, ast.Assert):
        test = node.test
        return isinstance(test, ast.Compare) and all(isinstance(op, ast.Eq | ast.Is) for op in test.ops)
    return "Equal" in text or "aises" in text


def _condition(node: ast.AST) -> list[str]:
    """Return the words for a statement that keeps an assertion below it from running or from counting."""
    match node:
        case ast.If(test=test) | ast.While(test=test):
            return [f"if `{_short(ast.unparse(test))}`"]
        case ast.Try(handlers=handlers) if handlers:
            return ["in a `try` with handlers"]
        case ast.With(items=items) | ast.AsyncWith(items=items):
            texts = [ast.unparse(item.context_expr) for item in items]
            return [f"inside `{_short(text)}`" for text in texts if any(word in text for word in _CATCHING)]
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
            return [f"if `{name}` is called"]
        case _:
            return []


def _first_return(function: Function, last: int) -> int:
    """Return the line of the first return of a function itself that stands before its last assertion; else 0."""
    lines = [node.lineno for node in _own_nodes(function) if isinstance(node, ast.Return) and node.lineno < last]
    return min(lines, default=0)


def _own_nodes(node: ast.AST) -> Iterator[ast.AST]:
    for child in ast.iter_child_nodes(node):
        if not isinstance(child, Function | ast.Lambda):
            yield child
            yield from _own_nodes(child)


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _LONGEST else f"{line[: _LONGEST - 3]}..."


def _parsed(text: str) -> ast.Module | None:
    try:
        return ast.parse(text)
    except (SyntaxError, ValueError, RecursionError):
        return None
