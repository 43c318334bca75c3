"""Search source code for statements that a proven fix has changed elsewhere."""

import re
from collections.abc import Iterator, Sequence

from whet.domain.pattern import Pattern, Rule
from whet.knowledge.generalise import specificity
from whet.knowledge.rewrite import VARIABLE, AppliedRule, applications
from whet.knowledge.syntax import parse

_WORD = re.compile(r"\w+")
LEAST_SPECIFICITY = 2
"""Names and literals that a statement must name itself. With fewer, most matches are code without the mistake."""


def clone_rules(pattern: Pattern) -> list[Rule]:
    """Return the rules of a pattern that are specific enough to call a match the same mistake."""
    return [rule for rule in pattern.contexts if specificity(rule) >= LEAST_SPECIFICITY]


def clones_in(source: str, patterns: Sequence[Pattern]) -> Iterator[tuple[Pattern, AppliedRule]]:
    """Yield each place of a file that has a pattern's mistake, once."""
    root, seen = None, set()
    for pattern in patterns:
        for rule in clone_rules(pattern):
            if not _may_match(rule, source):
                continue
            root = root or parse(source)
            for hit in applications(rule, source, root):
                if hit.start not in seen:
                    seen.add(hit.start)
                    yield pattern, hit


def _may_match(rule: Rule, source: str) -> bool:
    """True if the source has every name that the rule searches for; quicker than parsing it."""
    return all(word in source for word in _WORD.findall(VARIABLE.sub(" ", rule.search)))
