"""`[approve]`: who must say yes, and how they prove who they are."""

import re
from typing import Annotated

from pydantic import AfterValidator, Field, model_validator

from whet.config.section import Section
from whet.domain.approval import Gate, Tier
from whet.domain.approvers import ANYBODY, Seats
from whet.domain.proof import Assurance
from whet.domain.proposal import ProposalKind


def _quorum(text: str) -> str:
    seats_of(text)
    return text


def seats_of(text: str) -> tuple[Seats, ...]:
    """Return the parts of a quorum such as `2 maintainer, 1 owner`. Raise ValueError for another form."""
    parts = [_SEATS.fullmatch(part.strip()) for part in text.split(",")]
    if not all(parts):
        raise ValueError(f"{text!r} is not a quorum: write a number and a role, such as 2 maintainer, 1 owner")
    return tuple(Seats(count=int(part[1]), role=part[2]) for part in parts if part)


_SEATS = re.compile(r"([1-9][0-9]?) ([a-z][a-z0-9_-]*)")
Quorum = Annotated[str, AfterValidator(_quorum)]
PROVED_TIERS = (Tier.CONFIRM, Tier.APPROVE, Tier.REQUIRE)
Person = Annotated[str, Field(pattern=r"^[^\s*?!,\"]+$")]


class ProofPolicy(Section):
    """The least assurance of an approval, by tier.

    `os` is the user of the process, which any program of that user has. `signature` is an SSH signature by an enrolled
    key. `presence` needs a touched security key, `verified` also its PIN.
    """

    confirm: Assurance = Assurance.OS
    approve: Assurance = Assurance.SIGNATURE
    require: Assurance = Assurance.PRESENCE

    @model_validator(mode="after")
    def _never_falls(self) -> "ProofPolicy":
        if not self.confirm <= self.approve <= self.require:
            raise ValueError("a higher tier cannot need less proof than a lower one")
        return self


class NeedPolicy(Section):
    """The quorum of each tier: how many people of which role. Everybody has the role `person`."""

    confirm: Quorum = "1 person"
    approve: Quorum = "1 person"
    require: Quorum = "1 person"


class ApprovePolicy(Section):
    """`[approve]`: the minimum tier at each gate, the proof and the quorum that each tier needs, and the proposal kinds
    that need no person at the apply gate.

    `roles` names people as `whet.signers` does. The author of a suggestion does not count as an approver of the change
    that was made from it, unless `supplier_counts` is set. `forge_logins` maps logins on the forge to people; their reviews
    count at the merge gate as proof of the strength `os`: a program of the same user controls what whet sees of a forge.
    """

    plan: Tier = Tier.AUTO
    apply: Tier = Tier.CONFIRM
    merge: Tier = Tier.AUTO
    auto_kinds: tuple[ProposalKind, ...] = ()
    timeout_hours: Annotated[float, Field(gt=0, le=24 * 30)] = 168.0
    proof: ProofPolicy = ProofPolicy()
    need: NeedPolicy = NeedPolicy()
    roles: dict[Annotated[str, Field(pattern="^[a-z][a-z0-9_-]*$")], tuple[Person, ...]] = Field(default_factory=dict)
    supplier_counts: bool = False
    forge_logins: dict[Annotated[str, Field(pattern=r"^[A-Za-z0-9_.-]{1,100}$")], Person] = Field(default_factory=dict)

    def floor(self, gate: Gate) -> Tier:
        """Return the minimum tier at a gate."""
        return {Gate.PLAN: self.plan, Gate.APPLY: self.apply, Gate.MERGE: self.merge}.get(gate, Tier.REQUIRE)

    @model_validator(mode="after")
    def _can_be_met(self) -> "ApprovePolicy":
        """Refuse a quorum that nobody can form."""
        for tier in PROVED_TIERS:
            for seats in seats_of(getattr(self.need, tier)):
                if seats.role == ANYBODY:
                    continue
                if len(set(self.roles.get(seats.role, ()))) < seats.count:
                    raise ValueError(f"need.{tier} asks for {seats}, and roles.{seats.role} has fewer people")
                if getattr(self.proof, tier) is Assurance.OS:
                    raise ValueError(
                        f"need.{tier} names the role {seats.role}, and proof.{tier} = os does not prove who has it"
                    )
        return self
