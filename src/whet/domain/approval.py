from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum


class Gate(StrEnum):
    PLAN = "plan"
    APPLY = "apply"
    MERGE = "merge"


class Tier(StrEnum):
    """Who must say yes: nobody, nobody but tell them, a person's nod, a person who saw the evidence, a person
    who repeats what they approve."""

    AUTO = "auto"
    NOTIFY = "notify"
    CONFIRM = "confirm"
    APPROVE = "approve"
    REQUIRE = "require"

    @property
    def rank(self) -> int:
        return list(Tier).index(self)

    @property
    def needs_person(self) -> bool:
        return self.rank >= Tier.CONFIRM.rank


class Answer(StrEnum):
    APPROVED = "approved"
    REJECTED = "rejected"
    WITHDRAWN = "withdrawn"
    EXPIRED = "expired"


@dataclass(frozen=True, kw_only=True)
class Question:
    """An open gate: what is asked, of which tier and why, about which digest, until when."""

    proposal: str
    gate: Gate
    tier: Tier
    reasons: tuple[str, ...]
    digest: str
    asked_at: datetime
    expires_at: datetime


@dataclass(frozen=True, kw_only=True)
class Approval:
    """An answer at a gate, for one digest; the one schema for every client.

    `approver` is the engine that took the answer (`person`, `policy`), `who` the one who gave it, as the operating
    system or the client's authentication knows them. `override` marks a person's yes to something not proven.
    """

    proposal: str
    gate: Gate
    tier: Tier
    answer: Answer
    approver: str
    who: str
    via: str
    digest: str
    decided_at: datetime
    why: str = ""
    override: bool = False

    @property
    def granted(self) -> bool:
        return self.answer is Answer.APPROVED
