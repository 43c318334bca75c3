"""What added Python must not reach for unseen: the test runner, the call stack, other modules, the process itself.

None of it is wrong by itself, and none of it belongs in an ordinary fix; whoever wants to fool a proof needs some of
it. So it does not stop a change: it wants a reader.
"""

import ast
from collections import Counter
from collections.abc import Iterable
from itertools import chain

from whet.guard.content.suspicious.flag import Flag
from whet.guard.content.suspicious.raw_text import by_text, marks_in_data
from whet.guard.content.suspicious.visitor import Visitor

__all__ = ["Flag", "marks", "marks_in_data"]


def marks(old: str, new: str, lines: frozenset[int], beside: Iterable[tuple[str, str]] = ()) -> list[Flag]:
    """What on these lines of `new` wants a reader. Raises SyntaxError where it cannot be read as Python.

    `beside` are the texts, before and after, of the other files of the same change: what only moved is not new.
    """
    every = _every(new)
    found = [mark for mark in every if mark.line in lines]
    if not any(mark.only_if_new or mark.only_if_more for mark in found):
        return sorted(set(found), key=_place)
    known, now = _counted([old]), Counter(mark.name for mark in every)
    others = list(beside)
    known_beside, now_beside = (_counted(texts) for texts in (zip(*others, strict=True) if others else ((), ())))
    wanted = {
        mark
        for mark in found
        if not (mark.only_if_new and known[mark.name] + known_beside[mark.name])
        and not (mark.only_if_more and known[mark.name] >= now[mark.name])
        and not (mark.only_if_more and (known + known_beside)[mark.name] >= (now + now_beside)[mark.name])
    }
    return sorted(wanted, key=_place)


def _counted(texts: Iterable[str]) -> Counter[str]:
    return Counter(mark.name for text in texts for mark in _every_readable(text))


def _place(mark: Flag) -> tuple[int, str]:
    return mark.line, mark.what


def _every(text: str) -> list[Flag]:
    tree = ast.parse(text)
    return [*by_text(text), *chain.from_iterable(map(Visitor(tree), ast.walk(tree)))]


def _every_readable(text: str) -> list[Flag]:
    try:
        return _every(text)
    except (SyntaxError, ValueError, RecursionError):
        return []
