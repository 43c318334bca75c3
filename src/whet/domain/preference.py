"""A preference: what people's decisions say about one kind of proposal."""

from dataclasses import dataclass

from whet.domain.canonical import digest

LEAST_DECISIONS = 3
MUTED_AFTER = 5
_MOST = 1.25


@dataclass(frozen=True, kw_only=True)
class PersonalDecision:
    """A person's answer to one proposal, with the traits of the proposal. `seq` is the row of the answer in the ledger."""

    proposal: str
    accepted: bool
    who: str
    why: str
    seq: int
    traits: tuple[tuple[str, str], ...]


@dataclass(frozen=True, kw_only=True)
class Preference:
    """A trait of proposals, such as their category or their folder, and the decisions about proposals that have it."""

    trait: str
    value: str
    decisions: tuple[PersonalDecision, ...]

    @property
    def id(self) -> str:
        return preference_id(self.trait, self.value)

    @property
    def accepted(self) -> int:
        return sum(decision.accepted for decision in self.decisions)

    @property
    def rejected(self) -> int:
        return len(self.decisions) - self.accepted

    @property
    def factor(self) -> float:
        """Return the factor for the score of a proposal with this trait: below 1 if people mostly say no."""
        return round(min(0.5 + (self.accepted + 1) / (len(self.decisions) + 2), _MOST), 3)

    @property
    def muted(self) -> bool:
        """True if people have always said no, and often enough not to be asked again."""
        return self.rejected >= MUTED_AFTER and not self.accepted

    @property
    def sentence(self) -> str:
        return f"{self.trait} {self.value}: {self.accepted} accepted, {self.rejected} rejected"


def preference_id(trait: str, value: str) -> str:
    return f"w-{digest([trait, value])[:8]}"
