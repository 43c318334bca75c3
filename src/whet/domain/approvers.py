"""The people who may approve: their keys, the rules that their answers are counted by, and the record of every change."""

from dataclasses import dataclass, field
from datetime import datetime

from whet.domain.approval import Tier, Vote
from whet.domain.canonical import ADDED, digest
from whet.domain.proof import Assurance

ANYBODY = "person"
"""The role that everybody has."""


@dataclass(frozen=True, kw_only=True)
class Seats:
    """A part of a quorum: the number of people that are needed from a role."""

    count: int
    role: str

    def __str__(self) -> str:
        return f"{self.count} {self.role}"


@dataclass(frozen=True, kw_only=True)
class ApprovalRules:
    """The rules of the policy for approvals: by tier the assurance and the quorum, by role the people who have it.

    `supplier_counts` lets the author of a suggestion approve the change that was made from it.
    """

    environment: str
    proof: dict[Tier, Assurance]
    need: dict[Tier, tuple[Seats, ...]]
    roles: dict[str, tuple[str, ...]] = field(default_factory=dict)
    supplier_counts: bool = False
    forge_logins: tuple[tuple[str, str], ...] = field(default=(), metadata=ADDED)
    """Logins on the forge, in lower case, with the names of their people."""

    def has_role(self, who: str, role: str) -> bool:
        return role == ANYBODY or who in self.roles.get(role, ())


@dataclass(frozen=True, kw_only=True)
class Approvers:
    """The approvers at one time: the text of `whet.signers` and `whet.passkeys`, and the rules.

    `settings` is the digest of the parts of whet.toml that decide which tier a change needs.
    """

    signers: str
    passkeys: str
    rules: ApprovalRules
    settings: str

    @property
    def digest(self) -> str:
        return digest(self)


@dataclass(frozen=True, kw_only=True)
class EnrolmentQuestion:
    """A change of the approvers that waits for signatures. `nonce` and `exposed` are as in a question at a gate."""

    number: int
    after: str  # the digest of the new approvers
    nonce: str
    exposed: tuple[str, ...]
    at: datetime


@dataclass(frozen=True, kw_only=True)
class Enrolment:
    """A change of the approvers, as the ledger holds it. The first is trusted on first use and has no votes; every other
    has the votes of a quorum of the approvers before it (`previous` is their digest)."""

    number: int
    approvers: Approvers
    previous: str
    change: str
    question: EnrolmentQuestion
    votes: tuple[Vote, ...]
    recorded_by: str
    at: datetime
