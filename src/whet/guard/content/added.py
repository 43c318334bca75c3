"""The lines of a text that a change adds."""

import re
from difflib import SequenceMatcher


def lines_of(text: str) -> list[str]:
    """Split a text into lines as Python counts them; `str.splitlines` would also split at form feeds."""
    return re.split("\r\n|\r|\n", text)


def added_lines(old: str, new: str) -> frozenset[int]:
    """Return the numbers of the lines of `new` that `old` does not have in that place."""
    before, after = lines_of(old), lines_of(new)
    # Equal heads and tails are cut off first: the matcher takes quadratic time.
    shorter = min(len(before), len(after))
    head = 0
    while head < shorter and before[head] == after[head]:
        head += 1
    tail = 0
    while tail < shorter - head and before[-1 - tail] == after[-1 - tail]:
        tail += 1
    matcher = SequenceMatcher(None, before[head : len(before) - tail], after[head : len(after) - tail], autojunk=False)
    return frozenset(
        head + number + 1
        for operation, _, _, first, last in matcher.get_opcodes()
        if operation in ("insert", "replace")
        for number in range(first, last)
    )
