"""Why a patch that holds may not be what was meant: it gets past the tests by doing less."""

import ast
from collections.abc import Collection, Iterator, Sequence
from difflib import SequenceMatcher
from itertools import takewhile

from whet.phases.propose.repair.module import Function

_LEAVES = (ast.Pass, ast.Continue, ast.Break, ast.Return)


def swallows(before: str, after: str) -> str:
    """The exception that a new handler passes over in silence, in words; nothing where there is none."""
    known, found = list(_silent(before)), list(_silent(after))
    new = [kind for kind in found if found.count(kind) > known.count(kind)]
    return f"it passes over {new[0]} in silence" if len(found) > len(known) else ""


def drops(before: str, after: str, broke_at: Collection[int]) -> str:
    """The line that a failure passed through and that is now gone, with nothing in its place, in words.

    A check that raises may be one too many; a line that does something else was there for a reason.
    """
    if not broke_at or len(after) >= len(before):
        return ""
    kept = _kept_lines(before, after)
    gone = [number for number in range(1, len(before.splitlines()) + 1) if number not in kept]
    if len(kept) < len(after.splitlines()) or _raises(before, gone):
        return ""
    lost = sorted(set(broke_at).intersection(gone))
    return f"it drops line {lost[0]}, which the failure comes from" if lost else ""


def left_idle(before: str, after: str, line: int, ran_before: Collection[int], ran_after: Collection[int]) -> str:
    """What passing tests ran of the function around `line` and no test runs any more, in words.

    Lines that the change itself touches do not count, and neither do runs of which nothing is known.
    """
    first, last = _body(before, line)
    ran = [number for number in ran_before if first <= number <= last]
    if not ran or not ran_after:
        return ""
    now = _kept_lines(before, after)
    idle = sorted(number for number in ran if number in now and now[number] not in ran_after)
    if not idle:
        return ""
    return f"with it no test runs line {idle[0]} any more" + (f", and {len(idle) - 1} others" if idle[1:] else "")


def _raises(source: str, lines: Collection[int]) -> bool:
    return any(
        isinstance(node, ast.Raise | ast.Assert) and node.lineno in lines
        for node in ast.walk(ast.parse(source.removeprefix("\ufeff")))
    )


def _silent(source: str) -> Iterator[str]:
    """What each handler is for that only leaves."""
    for node in ast.walk(ast.parse(source.removeprefix("\ufeff"))):
        if isinstance(node, ast.ExceptHandler) and all(isinstance(one, _LEAVES) for one in node.body):
            yield ast.unparse(node.type) if node.type else "everything"


def _body(source: str, line: int) -> tuple[int, int]:
    """The first and last line of what the outermost function around a line does; its head runs when it is imported."""
    around = [
        (node.body[0].lineno, node.end_lineno or node.lineno)
        for node in ast.walk(ast.parse(source.removeprefix("\ufeff")))
        if isinstance(node, Function) and node.lineno <= line <= (node.end_lineno or line)
    ]
    return min(around, default=(0, 0))


def _kept_lines(before: str, after: str) -> dict[int, int]:
    """Where each unchanged line of the one stands in the other; a change is small, so most are told from both ends."""
    old, new = before.splitlines(), after.splitlines()
    top = _common(old, new)
    bottom = _common(old[: top - 1 if top else None : -1], new[: top - 1 if top else None : -1])
    inner = SequenceMatcher(None, old[top : len(old) - bottom], new[top : len(new) - bottom], autojunk=False)
    kept = {number + 1: number + 1 for number in range(top)}
    for block in inner.get_matching_blocks():
        kept |= {top + block.a + number + 1: top + block.b + number + 1 for number in range(block.size)}
    return kept | {len(old) - number: len(new) - number for number in range(bottom)}


def _common(one: Sequence[str], other: Sequence[str]) -> int:
    """How many lines both begin with."""
    return sum(1 for _ in takewhile(lambda both: both[0] == both[1], zip(one, other, strict=False)))
