"""Reasons to distrust a patch that passes: it gets past the tests by doing less."""

import ast
from collections.abc import Collection, Iterator, Sequence
from difflib import SequenceMatcher
from itertools import takewhile

from whet.pyast.functions import Function

_FEW_CHARACTERS = 2
_LEAVING = (ast.Pass, ast.Continue, ast.Break, ast.Return)


def swallowed_exception(before: str, after: str) -> str:
    """Describe an exception that a new handler silently ignores; empty if there is none."""
    old, new = list(_silent_handlers(before)), list(_silent_handlers(after))
    added = [exception for exception in new if new.count(exception) > old.count(exception)]
    return f"it silently ignores {added[0]}" if len(new) > len(old) else ""


def dropped_line(before: str, after: str, failing_lines: Collection[int]) -> str:
    """Describe a line on the path of the failure that the patch deletes without a replacement; empty if there is none.

    Deleting a check that raises is not a red flag, since the check may be the bug.
    """
    if not failing_lines or len(after) >= len(before):
        return ""
    kept = _kept_lines(before, after)
    deleted = [number for number in range(1, len(before.splitlines()) + 1) if number not in kept]
    if len(kept) < len(after.splitlines()) or _raises(before, deleted):
        return ""
    lost = sorted(set(failing_lines).intersection(deleted))
    return f"it deletes line {lost[0]}, where the failure comes from" if lost else ""


def borrowed_characters(before: str, after: str) -> str:
    """Describe a text that the patch searches in although other code uses the text for another purpose; empty if none.

    A search in such a text can succeed by accident: `"o" in "(Mon|Tue)"` is true, and has nothing to do with weekdays.
    """
    old, new = _texts_searched(before), _texts_searched(after)
    missing = [text for text in old if old.count(text) > new.count(text)]
    added = [text for text in new if new.count(text) > old.count(text)]
    elsewhere = _texts(before)
    for text in added:
        if text in elsewhere and all(len(set(text) - set(lost)) > _FEW_CHARACTERS for lost in missing):
            return f"it searches in {text!r}, a text that stands elsewhere for something else"
    return ""


def unreached_lines(before: str, after: str, line: int, ran_before: Collection[int], ran_after: Collection[int]) -> str:
    """Describe lines of the function around `line` that passing tests ran before the patch and no test runs after it.

    Lines that the patch changes do not count. Empty if no such line is known.
    """
    first, last = _body(before, line)
    ran = [number for number in ran_before if first <= number <= last]
    if not ran or not ran_after:
        return ""
    moved_to = _kept_lines(before, after)
    unreached = sorted(number for number in ran if number in moved_to and moved_to[number] not in ran_after)
    if not unreached:
        return ""
    others = len(unreached) - 1
    more = f" and {others} {'other' if others == 1 else 'others'}" if others else ""
    return f"with it no test runs line {unreached[0]}{more} any more"


def _texts_searched(source: str) -> list[str]:
    """Return the text literals that stand to the right of `in` or `not in`."""
    return [
        right.value
        for node in ast.walk(ast.parse(source.removeprefix("\ufeff")))
        if isinstance(node, ast.Compare)
        for sign, right in zip(node.ops, node.comparators, strict=True)
        if isinstance(sign, ast.In | ast.NotIn) and isinstance(right, ast.Constant) and isinstance(right.value, str)
    ]


def _texts(source: str) -> set[str]:
    tree = ast.parse(source.removeprefix("\ufeff"))
    return {node.value for node in ast.walk(tree) if isinstance(node, ast.Constant) and isinstance(node.value, str)}


def _raises(source: str, lines: Collection[int]) -> bool:
    return any(
        isinstance(node, ast.Raise | ast.Assert) and node.lineno in lines
        for node in ast.walk(ast.parse(source.removeprefix("\ufeff")))
    )


def _silent_handlers(source: str) -> Iterator[str]:
    """Yield the exception of each handler that does nothing but pass, jump or return."""
    for node in ast.walk(ast.parse(source.removeprefix("\ufeff"))):
        if isinstance(node, ast.ExceptHandler) and all(isinstance(statement, _LEAVING) for statement in node.body):
            yield ast.unparse(node.type) if node.type else "every exception"


def _body(source: str, line: int) -> tuple[int, int]:
    """Return the first and last line of the body of the outermost function around a line.

    The function's head is left out, because it runs at import.
    """
    around = [
        (node.body[0].lineno, node.end_lineno or node.lineno)
        for node in ast.walk(ast.parse(source.removeprefix("\ufeff")))
        if isinstance(node, Function) and node.lineno <= line <= (node.end_lineno or line)
    ]
    return min(around, default=(0, 0))


def _kept_lines(before: str, after: str) -> dict[int, int]:
    """Return, for each unchanged line, its number before -> its number after.

    A patch is small, so the common lines at both ends are matched directly and only the middle is compared.
    """
    old, new = before.splitlines(), after.splitlines()
    top = _common(old, new)
    bottom = _common(old[: top - 1 if top else None : -1], new[: top - 1 if top else None : -1])
    middle = SequenceMatcher(None, old[top : len(old) - bottom], new[top : len(new) - bottom], autojunk=False)
    kept = {number + 1: number + 1 for number in range(top)}
    for block in middle.get_matching_blocks():
        kept |= {top + block.a + number + 1: top + block.b + number + 1 for number in range(block.size)}
    return kept | {len(old) - number: len(new) - number for number in range(bottom)}


def _common(first: Sequence[str], second: Sequence[str]) -> int:
    """Return how many lines at the beginning are the same."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(first, second, strict=False)))
