"""A pattern: the general form of fixes that worked."""

from dataclasses import dataclass, field
from enum import StrEnum

from whet.domain.canonical import digest
from whet.domain.fix_example import FixExample

CONFIDENT_AFTER = 3


class Standing(StrEnum):
    """The standing of a pattern, from its outcomes."""

    NEW = "new"
    CONFIDENT = "confident"
    WEAKENED = "weakened"  # it failed or was rolled back at least as often as it worked
    REJECTED = "rejected"  # a person said no; it is never proposed again


@dataclass(frozen=True)
class Rule:
    """Code to search for and the code that replaces it, with metavariables such as `$A`."""

    search: str
    rewrite: str

    @property
    def id(self) -> str:
        return f"k-{digest([self.search, self.rewrite])[:8]}"


@dataclass(frozen=True, kw_only=True)
class PatternOutcomes:
    """The number of proposals of a pattern by their ending."""

    successes: int = 0
    failures: int = 0
    rollbacks: int = 0
    rejections: int = 0

    @property
    def standing(self) -> Standing:
        if self.rejections:
            return Standing.REJECTED
        if self.failures + 2 * self.rollbacks >= max(self.successes, 1):
            return Standing.WEAKENED
        return Standing.CONFIDENT if self.successes >= CONFIDENT_AFTER else Standing.NEW

    @property
    def weight(self) -> float:
        """Return the estimated share of successes; a rollback counts as two failures."""
        against = self.failures + 2 * self.rollbacks
        return round((self.successes + 1) / (self.successes + against + 2), 3)


@dataclass(frozen=True, kw_only=True)
class Pattern:
    """A rule with the fixes that it comes from and its outcomes.

    `contexts` are narrower rules, one for each example: the whole statement, with only its local variables free.
    """

    rule: Rule
    contexts: tuple[Rule, ...]
    examples: tuple[FixExample, ...]
    outcomes: PatternOutcomes = field(default_factory=PatternOutcomes)

    @property
    def id(self) -> str:
        return self.rule.id

    @property
    def imported(self) -> bool:
        """True if no fix of this repository has shown the pattern yet."""
        return all(example.imported_from for example in self.examples)

    @property
    def usable(self) -> bool:
        return self.outcomes.standing is not Standing.REJECTED
