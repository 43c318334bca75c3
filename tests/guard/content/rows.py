"""What the tables of the content rules have in common."""

import ast
from collections.abc import Callable, Iterable

from whet.guard.content.passage import Passage
from whet.guard.content.remark import Remark

Rule = Callable[[Passage], Iterable[Remark]]


def said(rule: Rule, new: str, old: str = "", path: str = "src/app.py", is_test: bool = False) -> set[tuple[str, str]]:
    """Severity and code of every remark on `new`; rows are written as Python that can be read."""
    if path.endswith(".py"):
        ast.parse(new)
    return {(remark.severity, remark.code) for remark in rule(Passage(path, old, new, is_test=is_test))}


def lines(rule: Rule, new: str, old: str = "", path: str = "src/app.py") -> list[int]:
    return sorted(remark.line for remark in rule(Passage(path, old, new)))
