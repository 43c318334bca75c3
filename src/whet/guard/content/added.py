"""Which lines are new."""

import re
from difflib import SequenceMatcher


def lines_of(text: str) -> list[str]:
    """Lines as Python counts them; `splitlines` would also end one at a form feed, and lose count."""
    return re.split("\r\n|\r|\n", text)


def added_lines(old: str, new: str) -> frozenset[int]:
    """The numbers of the lines in `new` that `old` does not have in that place."""
    before, after = lines_of(old), lines_of(new)
    same = 0
    while same < min(len(before), len(after)) and before[same] == after[same]:
        same += 1
    tail = 0
    while tail < min(len(before), len(after)) - same and before[-1 - tail] == after[-1 - tail]:
        tail += 1
    matcher = SequenceMatcher(None, before[same : len(before) - tail], after[same : len(after) - tail], autojunk=False)
    return frozenset(
        same + number + 1
        for operation, _, _, first, last in matcher.get_opcodes()
        if operation in ("insert", "replace")
        for number in range(first, last)
    )
