"""The wrong exception is caught or raised."""

import ast
from collections.abc import Iterator

from whet.phases.propose.repair.candidate import Edit, replace
from whet.phases.propose.repair.module import Scope
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


def caught(node: ast.Try, scope: Scope) -> Iterator[Edit]:
    for handler in node.handlers:
        if handler.type is None:
            continue
        start, end = scope.module.span(handler.type)
        old = scope.module.text(handler.type)
        for name, weight in _likely((*scope.hints.exceptions, *_own(scope))):
            if name not in old:
                both = f"{old[:-1].rstrip(', ')}, {name})" if old.startswith("(") else f"({old}, {name})"
                yield replace(start, end, name, f"`{name}` is caught, not `{old}`", weight)
                yield replace(start, end, both, f"`{name}` is caught as well", weight * 0.95)


def raised(node: ast.Raise, scope: Scope) -> Iterator[Edit]:
    kind = node.exc.func if isinstance(node.exc, ast.Call) else node.exc
    if not isinstance(kind, ast.Name):
        return
    start, end = scope.module.span(kind)
    for name, weight in _likely((*scope.hints.raises, *_own(scope))):
        if name != kind.id:
            yield replace(start, end, name, f"`{name}` is raised, not `{kind.id}`", weight)


def _own(scope: Scope) -> list[str]:
    """Exceptions that the file makes or brings in itself."""
    return [name for name in scope.module.classes if name.endswith(("Error", "Exception"))]


def _likely(hinted: tuple[str, ...]) -> Iterator[tuple[str, float]]:
    for name in hinted:
        if name.endswith(("Error", "Exception", "Iteration", "Interrupt")) and name != "AssertionError":
            yield name, 1.0
    for name in _USUAL:
        if name not in hinted:
            yield name, 0.4


TEMPLATES = [
    Template("exception", 0.6, (ast.Try,), caught),
    Template("exception", 0.6, (ast.Raise,), raised),
]
