"""Find the smallest changed piece of code between two versions of a file."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from whet.knowledge.syntax import BODIES, COMPOUND, is_broken, parse, span

if TYPE_CHECKING:
    from ast_grep_py import SgNode


@dataclass(frozen=True)
class ChangedCode:
    """A changed piece of code: the smallest, and the statement around it. `line` is where it was, from 1."""

    core_before: str
    core_after: str
    before: str
    after: str
    line: int


@dataclass(frozen=True)
class _Pair:
    """A node and the nodes that replaced it."""

    before: "SgNode"
    after: tuple["SgNode", ...]


def changed_code(before: str, after: str) -> ChangedCode | None:
    """Return the one changed piece of code; None if several pieces changed, code was only removed, or nothing changed."""
    old, new = parse(before), parse(after)
    if is_broken(old) or is_broken(new):
        return None
    pairs = _pairs(old, new)
    if not pairs:
        return None
    statements = {span(statement.before): statement for statement in map(_statement, pairs)}
    if len(statements) != 1:
        return None
    [statement] = statements.values()
    core = _core(pairs[0]) if len(pairs) == 1 else statement
    if core.before.kind() in COMPOUND:  # the head of a loop or condition says nothing without its body
        statement = core
    return ChangedCode(
        _text(before, (core.before,)),
        _text(after, core.after),
        _text(before, (statement.before,)),
        _text(after, statement.after),
        core.before.range().start.line + 1,
    )


def _pairs(before: "SgNode", after: "SgNode") -> list[_Pair] | None:
    """Return the smallest differing nodes; None if a difference has no counterpart."""
    if before.text() == after.text():
        return []
    old, new = _children(before), _children(after)
    if before.kind() != after.kind() or not old or not new or before.kind() == "string":
        return [_Pair(before, (after,))]
    if before.kind() in BODIES:
        return _pairs_of_bodies(old, new)
    if len(old) != len(new):
        return [_Pair(before, (after,))]
    pairs: list[_Pair] = []
    for left, right in zip(old, new, strict=True):
        inner = _pairs(left, right)
        if inner is None:
            return None
        pairs += inner
    return pairs


def _pairs_of_bodies(old: Sequence["SgNode"], new: Sequence["SgNode"]) -> list[_Pair] | None:
    """Compare two lists of statements. Inserted statements belong to the statement after them, or else before them."""
    start, end = _common(old, new)
    left, right = old[start : len(old) - end], new[start : len(new) - end]
    if not left and right:
        if start < len(old):
            return [_Pair(old[start], (*right, new[len(new) - end]))]
        return [_Pair(old[-1], (new[start - 1], *right))] if old else None
    if len(left) == 1 and len(right) > 1:
        return [_Pair(left[0], tuple(right))]
    if len(left) != len(right):
        return None
    pairs: list[_Pair] = []
    for one, other in zip(left, right, strict=True):
        inner = _pairs(one, other)
        if inner is None:
            return None
        pairs += inner
    return pairs


def _common(old: Sequence["SgNode"], new: Sequence["SgNode"]) -> tuple[int, int]:
    """Return the number of equal statements at the beginning and at the end."""
    shorter = min(len(old), len(new))
    start = next((i for i in range(shorter) if old[i].text() != new[i].text()), shorter)
    rest = shorter - start
    end = next((i for i in range(rest) if old[-1 - i].text() != new[-1 - i].text()), rest)
    return start, end


def _children(node: "SgNode") -> list["SgNode"]:
    return [child for child in node.children() if child.kind() != "comment"]


def _core(pair: _Pair) -> _Pair:
    """Return the pair with tokens and lists of arguments widened to the expression that they are part of."""
    while len(pair.after) == 1 and _is_part(pair.before) and (wider := _wider(pair)):
        pair = wider
    return pair


def _is_part(node: "SgNode") -> bool:
    return not _children(node) or node.kind() in ("argument_list", "string")


def _statement(pair: _Pair) -> _Pair:
    """Return the pair widened to its statement; in the head of a compound statement, to the whole expression there."""
    while len(pair.after) == 1:
        wider = _wider(pair)
        if wider is None or wider.before.kind() in BODIES or wider.before.kind() in COMPOUND:
            return pair
        pair = wider
    return pair


def _wider(pair: _Pair) -> _Pair | None:
    before, after = pair.before.parent(), pair.after[0].parent()
    return _Pair(before, (after,)) if before and after else None


def _text(source: str, nodes: Sequence["SgNode"]) -> str:
    """Return the source of neighbouring nodes, without the indentation of the first in the lines after it."""
    start, end = span(nodes[0])[0], span(nodes[-1])[1]
    indent = " " * nodes[0].range().start.column
    first, *rest = source[start:end].split("\n")
    return "\n".join([first, *(line.removeprefix(indent) for line in rest)])
