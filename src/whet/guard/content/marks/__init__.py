"""What added Python must not reach for unseen: the test runner, the call stack, other modules, the process itself.

None of it is wrong by itself, and none of it belongs in an ordinary fix; whoever wants to fool a proof needs some of
it. So it does not stop a change: it wants a reader.
"""

import ast
from itertools import chain

from whet.guard.content.marks.by_text import by_text, marks_in_data
from whet.guard.content.marks.mark import Mark
from whet.guard.content.marks.visitor import Visitor

__all__ = ["Mark", "marks", "marks_in_data"]


def marks(old: str, new: str, lines: frozenset[int]) -> list[Mark]:
    """What on these lines of `new` wants a reader. Raises SyntaxError where it cannot be read as Python."""
    found = [mark for mark in _every(new) if mark.line in lines]
    known = {mark.name for mark in _every_readable(old)} if any(mark.only_if_new for mark in found) else set()
    wanted = {mark for mark in found if not (mark.only_if_new and mark.name in known)}
    return sorted(wanted, key=lambda mark: (mark.line, mark.what))


def _every(text: str) -> list[Mark]:
    tree = ast.parse(text)
    return [*by_text(text), *chain.from_iterable(map(Visitor(tree), ast.walk(tree)))]


def _every_readable(text: str) -> list[Mark]:
    try:
        return _every(text)
    except (SyntaxError, ValueError, RecursionError):
        return []
