"""Find the rule that two fixes have in common: what differs between them becomes a metavariable."""

from collections.abc import Collection
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from whet.domain.fix_example import FixExample
from whet.domain.pattern import Rule
from whet.knowledge.generalise import MOST_VARIABLES, is_concrete, metavariable, reproduces
from whet.knowledge.syntax import is_broken, is_name_of_something_else, parse, span

if TYPE_CHECKING:
    from ast_grep_py import SgNode


class _NoCommonRule(Exception):
    pass


@dataclass
class _Table:
    """The metavariables, by the two pieces of code that each stands for."""

    variables: tuple[Collection[str], Collection[str]]
    names: dict[tuple[str, str], str] = field(default_factory=dict)
    closed: bool = False

    def name(self, left: str, right: str) -> str:
        if (left, right) not in self.names:
            if self.closed or len(self.names) >= MOST_VARIABLES:
                raise _NoCommonRule
            self.names[left, right] = metavariable(len(self.names))
        return self.names[left, right]


def anti_unify(left: FixExample, right: FixExample) -> Rule | None:
    """Return the most specific rule that gives both fixes; None if they have nothing in common.

    The new code may only use pieces that the old code has, so that the rule can be applied elsewhere.
    """
    texts = (left.core_before, right.core_before, left.core_after, right.core_after)
    roots = [parse(text) for text in texts]
    if any(map(is_broken, roots)):
        return None
    table = _Table((left.variables, right.variables))
    try:
        search = _common(roots[0], roots[1], left.core_before, table)
        table.closed = True
        rewrite = _common(roots[2], roots[3], left.core_after, table)
    except _NoCommonRule:
        return None
    rule = Rule(search, rewrite)
    holds = all(reproduces(rule, fix.core_before, fix.core_after) for fix in (left, right))
    return rule if holds and is_concrete(rule) else None


def _common(left: "SgNode", right: "SgNode", source: str, table: _Table) -> str:
    """Return the code that two trees share, in the words of the left one."""
    here, there = left.children(), right.children()
    if table.closed and (left.text(), right.text()) in table.names:
        return table.names[left.text(), right.text()]
    if left.kind() != right.kind():
        return _free(left, right, table)
    if not here or not there or left.kind() == "string":
        return _common_leaf(left, right, table)
    if len(here) != len(there):
        return _free(left, right, table)
    start, end = span(left)
    pieces, at = [], start
    for one, other in zip(here, there, strict=True):
        first, last = span(one)
        pieces += [source[at:first], _common(one, other, source, table)]
        at = last
    return "".join([*pieces, source[at:end]])


def _common_leaf(left: "SgNode", right: "SgNode", table: _Table) -> str:
    local = all(
        leaf.kind() == "identifier" and leaf.text() in names and not is_name_of_something_else(leaf)
        for leaf, names in zip((left, right), table.variables, strict=True)
    )
    if left.text() == right.text() and not local:
        return left.text()
    return _free(left, right, table)


def _free(left: "SgNode", right: "SgNode", table: _Table) -> str:
    """Return the metavariable for two different pieces of code. Operators, keywords and names of attributes have none."""
    if not left.is_named() or not right.is_named() or any(map(is_name_of_something_else, (left, right))):
        raise _NoCommonRule
    return table.name(left.text(), right.text())
