"""The pattern library, derived from the ledger: patterns with their outcomes."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import TYPE_CHECKING

from whet.domain.fix_example import FixExample
from whet.domain.lesson import Ending, Lesson
from whet.domain.pattern import Pattern, PatternOutcomes, Rule
from whet.knowledge.anti_unify import anti_unify
from whet.knowledge.generalise import generalise
from whet.knowledge.syntax import parse

if TYPE_CHECKING:
    from whet.ledger.ledger import Ledger

ENGINE = "known_fix"
_MOST_PER_FORM = 30
_COUNTS = {
    Ending.COMPLETED: "successes",
    Ending.MERGED: "successes",
    Ending.NOT_PROVEN: "failures",
    Ending.REFUSED: "failures",
    Ending.FAILED: "failures",
    Ending.ROLLED_BACK: "rollbacks",
    Ending.REJECTED: "rejections",
}


@dataclass(frozen=True)
class Library:
    """The patterns of a repository, the most trusted first, and the rules that a person rejected."""

    patterns: tuple[Pattern, ...] = ()
    rejected: frozenset[str] = field(default_factory=frozenset)

    @property
    def usable(self) -> tuple[Pattern, ...]:
        return tuple(pattern for pattern in self.patterns if pattern.usable)

    def pattern(self, identity: str) -> Pattern | None:
        """Return the pattern with this id, or with an id that begins so; None if there is not exactly one."""
        matching = [pattern for pattern in self.patterns if pattern.id.startswith(identity)]
        return matching[0] if len(matching) == 1 else None


def read_library(ledger: "Ledger") -> Library:
    """Read the library from the ledger. A forgotten pattern needs a new example; a rejection is never forgotten."""
    forgotten = {entry.data["pattern"]: entry.seq for entry in ledger.entries(kind="ForgottenPattern")}
    endings = _endings(ledger)
    uses = _uses(ledger)
    by_rule: dict[Rule, list[FixExample]] = defaultdict(list)
    every: dict[str, set[str]] = defaultdict(set)  # proposals by pattern, forgotten examples included
    for entry in ledger.entries(kind="FixExample"):
        example = entry.read(FixExample)
        rule = rule_of(example)
        if rule is None:
            continue
        if not example.imported_from:
            every[rule.id].add(example.proposal)
        if entry.seq > forgotten.get(rule.id, 0):
            by_rule[rule].append(example)
    for proposal, pattern in uses.items():
        every[pattern].add(proposal)
    by_rule |= {rule: pair for rule, pair in _common_rules(by_rule).items() if rule.id not in forgotten}
    outcomes = {identity: _outcomes(proposals, endings) for identity, proposals in every.items()}
    patterns = [_pattern(rule, examples, outcomes) for rule, examples in by_rule.items()]
    return Library(
        tuple(sorted(patterns, key=lambda pattern: (-pattern.outcomes.weight, pattern.id))),
        frozenset(identity for identity, counts in outcomes.items() if counts.rejections),
    )


def rule_of(example: FixExample) -> Rule | None:
    return generalise(example.core_before, example.core_after, example.variables)


def _pattern(rule: Rule, examples: Sequence[FixExample], outcomes: Mapping[str, PatternOutcomes]) -> Pattern:
    contexts = [
        generalise(example.before, example.after, example.variables, keep_literals=True) for example in examples
    ]
    return Pattern(
        rule=rule,
        contexts=tuple(dict.fromkeys(context for context in contexts if context)),
        examples=tuple(examples),
        outcomes=outcomes.get(rule.id, PatternOutcomes()),
    )


def _common_rules(by_rule: Mapping[Rule, Sequence[FixExample]]) -> dict[Rule, list[FixExample]]:
    """Return the rules that pairs of different patterns have in common, with the examples of both."""
    forms: dict[tuple[str, str], list[FixExample]] = defaultdict(list)
    for examples in by_rule.values():
        first = examples[0]
        if len(forms[_form(first)]) < _MOST_PER_FORM:
            forms[_form(first)].append(first)
    common: dict[Rule, dict[FixExample, None]] = defaultdict(dict)
    for members in forms.values():
        for left, right in combinations(members, 2):
            rule = anti_unify(left, right)
            if rule and rule not in by_rule:
                common[rule] |= {left: None, right: None}
    return {rule: list(examples) for rule, examples in common.items()}


def _form(example: FixExample) -> tuple[str, str]:
    """Return the kinds of the changed code before and after, so that only similar fixes are compared."""
    roots = [parse(text).children()[0] for text in (example.core_before, example.core_after)]
    kinds = [
        (root.children() or [root])[0].kind() if root.kind() == "expression_statement" else root.kind()
        for root in roots
    ]
    return kinds[0], kinds[1]


def _endings(ledger: "Ledger") -> dict[str, Ending]:
    """Return how each proposal ended; a later lesson, of a rollback, replaces an earlier one."""
    lessons = (entry.read(Lesson) for entry in ledger.entries(kind="Lesson"))
    return {lesson.proposal: lesson.ending for lesson in lessons}


def _uses(ledger: "Ledger") -> dict[str, str]:
    """Return the pattern of each proposal of the engine."""
    proposals = (entry for entry in ledger.entries(kind="Proposal") if f'"engine":"{ENGINE}"' in entry.body)
    return {entry.subject: str(entry.data["recipe"].get("pattern", "")) for entry in proposals}


def _outcomes(proposals: Iterable[str], endings: Mapping[str, Ending]) -> PatternOutcomes:
    counts: dict[str, int] = defaultdict(int)
    for proposal in proposals:
        if (ending := endings.get(proposal)) and (name := _COUNTS.get(ending)):
            counts[name] += 1
    return PatternOutcomes(**counts)
