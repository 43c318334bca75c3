"""Approval at a gate: the question whet asks and the answer it gets."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from whet.domain.proof import Assurance, Proof


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
    APPROVE = "approve"  # a person signs the answer
    REQUIRE = "require"  # a person signs it with a touched security key, and gives a reason

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
    DECIDED = "decided"  # a person decided an undecided call; another patch may be chosen, and it is proved again
    WITHDRAWN = "withdrawn"
    EXPIRED = "expired"


@dataclass(frozen=True, kw_only=True)
class Question:
    """An open gate, as `phases/approve` records it.

    `nonce` is a random number that only this question has. `exposed` are fingerprints of approval keys that any program
    of this user could sign with when the question was asked; their signatures do not count.
    """

    proposal: str
    gate: Gate
    tier: Tier
    reasons: tuple[str, ...]  # why this tier
    digest: str  # of the proposal (plan gate) or of the evidence (other gates)
    asked_at: datetime
    expires_at: datetime
    repository: str = ""
    base: str = ""
    policy: str = ""
    verdict: str = ""
    nonce: str = ""
    exposed: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Vote:
    """One person's answer to a question: the text of the statement and the proof that this person made it."""

    statement: str
    proof: Proof
    via: str
    at: datetime


@dataclass(frozen=True, kw_only=True)
class Voter:
    """A person whose vote was verified. `key` is the fingerprint of their key, `means` the kind of key."""

    who: str
    assurance: Assurance
    key: str = ""
    means: str = ""

    @property
    def proven(self) -> bool:
        """True if the vote is signed; false if it only came from a process of that user."""
        return self.assurance > Assurance.OS

    def __str__(self) -> str:
        if not self.proven:
            return f"{self.who} (unproven approver)"
        gestures = {Assurance.PRESENCE: ", touched", Assurance.VERIFIED: ", touched, PIN"}
        return f"{self.who} ({self.means}{gestures.get(self.assurance, '')})"


@dataclass(frozen=True, kw_only=True)
class Ruling:
    """A person's decision of an undecided call: what the call should return, as a literal, or `raise NAME`.

    `undecided` is the id of the call. `vote` has the statement of the decision and the proof of who made it, `voter` is
    that person as verified. A ruling approves nothing: its statement is not that of an approval.
    """

    undecided: str
    call: str
    function: str
    path: str
    answer: str
    vote: Vote
    voter: Voter

    @property
    def sentence(self) -> str:
        return f"{self.call} should be {self.answer}"

    @property
    def by(self) -> str:
        """Return who decided, with the strength of the proof."""
        return str(self.voter) if self.voter.proven else f"{self.voter.who} (unproven)"


@dataclass(frozen=True, kw_only=True)
class Approval:
    """An answer at a gate, valid for one digest only. Made by `phases/approve`; the same for every client.

    `approver` is the engine that took the answer (`person`, `policy`). `who` names the people, `via` the client.
    `override` marks a person's yes to a patch whose proof did not pass. A person's yes holds the `votes` that it was
    counted from, so that everybody can count them again, and the `voters` as they were verified. `ruling` comes with the
    answer `decided`.
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
    votes: tuple[Vote, ...] = ()
    voters: tuple[Voter, ...] = ()
    ruling: Ruling | None = None

    @property
    def granted(self) -> bool:
        return self.answer is Answer.APPROVED

    @property
    def people(self) -> str:
        """Return who answered, with the strength of the proof."""
        if self.ruling:
            return self.ruling.by
        if self.approver != "person" or not self.granted:
            return self.who
        return ", ".join(map(str, self.voters)) or f"{self.who} (unproven approver)"
