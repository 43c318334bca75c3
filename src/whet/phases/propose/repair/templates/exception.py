"""Catch or raise another exception: `except KeyError` -> `except ValueError`."""

import ast
from collections.abc import Iterator

from whet.phases.propose.repair.candidate import Edit, replace, say
from whet.phases.propose.repair.scope import Scope
from whet.phases.propose.repair.templates.template import Template

_USUAL = (
    "ValueError",
    "KeyError",
    "TypeError",
    "IndexError",
    "AttributeError",
    "ZeroDivisionError",
    "OSError",
    "FileNotFoundError",
    "RuntimeError",
    "LookupError",
    "StopIteration",
)


def catch_other(node: ast.Try, scope: Scope) -> Iterator[Edit]:
    """Catch another exception instead of, or in addition to, the caught one."""
    for handler in node.handlers:
        if handler.type is None:
            continue
        start, end = scope.module.span(handler.type)
        old = scope.module.text(handler.type)
        for name, weight in _likely((*scope.hints.exceptions, *_own(scope))):
            if name not in old:
                both = f"{old[:-1].rstrip(', ')}, {name})" if old.startswith("(") else f"({old}, {name})"
                yield replace(start, end, name, say("Catch {} instead of {}", name, old), weight)
                yield replace(start, end, both, say("Also catch {}", name), weight * 0.95)


def raise_other(node: ast.Raise, scope: Scope) -> Iterator[Edit]:
    kind = node.exc.func if isinstance(node.exc, ast.Call) else node.exc
    if not isinstance(kind, ast.Name):
        return
    start, end = scope.module.span(kind)
    for name, weight in _likely((*scope.hints.raises, *_own(scope))):
        if name != kind.id:
            yield replace(start, end, name, say("Raise {} instead of {}", name, kind.id), weight)


def _own(scope: Scope) -> list[str]:
    """Return the exceptions that the file defines or imports."""
    return [name for name in scope.module.classes if name.endswith(("Error", "Exception"))]


def _likely(hinted: tuple[str, ...]) -> Iterator[tuple[str, float]]:
    """Yield the hinted exceptions, then the usual ones, each with its weight."""
    for name in hinted:
        if name.endswith(("Error", "Exception", "Iteration", "Interrupt")) and name != "AssertionError":
            yield name, 1.0
    for name in _USUAL:
        if name not in hinted:
            yield name, 0.4


TEMPLATES = [
    Template("exception", 0.6, (ast.Try,), catch_other),
    Template("exception", 0.6, (ast.Raise,), raise_other),
]
