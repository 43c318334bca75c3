"""Approval at a gate: the question whet asks and the answer it gets."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum


class Gate(StrEnum):
    """A point at which a proposal waits for approval: before the build, before the deployment, before the merge."""

    PLAN = "plan"
    APPLY = "apply"
    MERGE = "merge"


class Tier(StrEnum):
    """The amount of approval that a gate needs, from least to most."""

    AUTO = "auto"  # no person
    NOTIFY = "notify"  # no person, but one is told
    CONFIRM = "confirm"  # a person says yes
    APPROVE = "approve"  # a person also quotes the digest of the evidence they saw
    REQUIRE = "require"  # a person also gives a reason

    @property
    def rank(self) -> int:
        return list(Tier).index(self)

    @property
    def needs_person(self) -> bool:
        return self.rank >= Tier.CONFIRM.rank


class Answer(StrEnum):
    """The outcome at a gate."""

    APPROVED = "approved"
    REJECTED = "rejected"
    WITHDRAWN = "withdrawn"
    EXPIRED = "expired"


@dataclass(frozen=True, kw_only=True)
class Question:
    """An open gate, as `phases/approve` records it."""

    proposal: str
    gate: Gate
    tier: Tier
    reasons: tuple[str, ...]  # why this tier
    digest: str  # of the proposal (plan gate) or of the evidence (other gates)
    asked_at: datetime
    expires_at: datetime


@dataclass(frozen=True, kw_only=True)
class Approval:
    """An answer at a gate, valid for one digest only. Made by `phases/approve`; the same for every client.

    `approver` is the engine that took the answer (`person`, `policy`). `who` is the user name from the operating
    system or from the client's authentication, `via` the client. `override` marks a person's yes to a patch whose
    proof did not pass.
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
