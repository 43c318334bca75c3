"""Constructs that an ordinary fix does not need and a patch that fakes a passing test does.

They reach for the test runner, the call stack, other modules or the process. Each has honest uses, so a flag does not
block a change; it needs human review.
"""

import ast
from collections import Counter
from collections.abc import Iterable
from itertools import chain

from whet.guard.content.suspicious.flag import Flag
from whet.guard.content.suspicious.raw_text import flags_in_data, text_flags
from whet.guard.content.suspicious.visitor import Visitor

__all__ = ["Flag", "flags_in_data", "flags_on_lines"]


def flags_on_lines(old: str, new: str, lines: frozenset[int], beside: Iterable[tuple[str, str]] = ()) -> list[Flag]:
    """Return the flags on these lines of `new`, sorted. Raises SyntaxError if `new` is not Python.

    `beside` are the texts, before and after, of the other files of the same change: code that moved from one file to
    another is not new.
    """
    flags = _all_flags(new)
    on_lines = {flag for flag in flags if flag.line in lines}
    if any(flag.only_if_new or flag.only_if_more for flag in on_lines):
        before, after = _counts([old]), Counter(flag.name for flag in flags)
        pairs = list(beside)
        before_in_change = before + _counts(old_text for old_text, _ in pairs)
        after_in_change = after + _counts(new_text for _, new_text in pairs)
        on_lines = {
            flag
            for flag in on_lines
            if not (flag.only_if_new and before_in_change[flag.name])
            and not (flag.only_if_more and before[flag.name] >= after[flag.name])
            and not (flag.only_if_more and before_in_change[flag.name] >= after_in_change[flag.name])
        }
    return sorted(on_lines, key=lambda flag: (flag.line, flag.what, flag.name))


def _counts(texts: Iterable[str]) -> Counter[str]:
    """Count the constructs in `texts` by name; a text that is not Python counts as empty."""
    counts: Counter[str] = Counter()
    for text in texts:
        try:
            counts.update(flag.name for flag in _all_flags(text))
        except (SyntaxError, ValueError, RecursionError):
            continue
    return counts


def _all_flags(text: str) -> list[Flag]:
    tree = ast.parse(text)
    return [*text_flags(text), *chain.from_iterable(map(Visitor(tree), ast.walk(tree)))]
