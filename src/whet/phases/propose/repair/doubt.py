"""Why a patch that holds may not be what was meant: it gets past the tests by doing less."""

import ast
from collections.abc import Collection, Iterator, Sequence
from difflib import SequenceMatcher
from itertools import takewhile

from whet.phases.propose.repair.module import Function

_LEAVES = (ast.Pass, ast.Continue, ast.Break, ast.Return)


def swallows(before: str, after: str) -> str:
    """The exception that a change passes over in silence, in words; nothing where it does not."""
    known = set(_silent(before))
    found = [name for name in _silent(after) if name not in known]
    return f"it passes over {found[0].partition(' ')[0]} in silence" if found else ""


def left_idle(before: str, after: str, line: int, ran_before: Collection[int], ran_after: Collection[int]) -> str:
    """What passing tests ran of the function around `line` and no test runs any more, in words.

    Lines that the change itself touches do not count, and neither do runs of which nothing is known.
    """
    first, last = _function(before, line)
    ran = [number for number in ran_before if first < number <= last]
    if not ran or not ran_after:
        return ""
    now = _kept_lines(before, after)
    idle = sorted(number for number in ran if number in now and now[number] not in ran_after)
    if not idle:
        return ""
    return f"with it no test runs line {idle[0]} any more" + (f", and {len(idle) - 1} others" if idle[1:] else "")


def _silent(source: str) -> Iterator[str]:
    """Handlers that only leave, each with what they are for and what they guard."""
    for node in ast.walk(ast.parse(source.removeprefix("\ufeff"))):
        if isinstance(node, ast.Try):
            for handler in node.handlers:
                if all(isinstance(one, _LEAVES) for one in handler.body):
                    kind = ast.unparse(handler.type).replace(" ", "") if handler.type else "everything"
                    yield f"{kind} {ast.unparse(node)}"


def _function(source: str, line: int) -> tuple[int, int]:
    """The lines of the outermost function around a line, or none."""
    around = [
        (node.lineno, node.end_lineno or node.lineno)
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
