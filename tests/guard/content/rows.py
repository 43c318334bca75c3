"""Helpers for the tables of the content rules."""

import ast
from collections.abc import Callable, Iterable

from whet.guard.content.passage import Passage
from whet.guard.content.remark import Remark

Rule = Callable[[Passage], Iterable[Remark]]


def remarks(
    rule: Rule, new: str, old: str = "", path: str = "src/app.py", is_test: bool = False
) -> set[tuple[str, str]]:
    """Return severity and code of every remark on `new`; a row for a .py file must be valid Python."""
    if path.endswith(".py"):
        ast.parse(new)
    return {(remark.severity, remark.code) for remark in rule(Passage(path, old, new, is_test=is_test))}


def lines(rule: Rule, new: str, old: str = "", path: str = "src/app.py") -> list[int]:
    return sorted(remark.line for remark in rule(Passage(path, old, new)))
