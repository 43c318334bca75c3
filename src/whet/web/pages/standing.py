"""The people who answered a question and those who must still answer: what the decision bar says about a gate."""

from dataclasses import dataclass

from whet.app.approvals.decisions import roll_of
from whet.app.project import Project
from whet.app.views.proposal_view import ProposalView
from whet.domain.approval import Question, Tier
from whet.domain.proof import Assurance
from whet.domain.statement import field_of
from whet.errors import WhetError
from whet.phases.approve.person import ballot
from whet.phases.approve.votes import has_signers
from whet.signing.passkeys import Passkey, parse

_NEEDS = {
    Assurance.OS: "a person's word",
    Assurance.SIGNATURE: "a signature by an enrolled key",
    Assurance.PRESENCE: "a signature with a touched security key, or a passkey",
    Assurance.VERIFIED: "a signature with a security key and its PIN, or a passkey",
}


@dataclass(frozen=True)
class GateStanding:
    """The state of an open gate. `problem` says why nothing can be approved now; empty if it can."""

    needs: str
    missing: str
    answered: tuple[str, ...]
    enrolled: bool
    needs_reason: bool
    passkeys: tuple[Passkey, ...]
    problem: str = ""


def standing_of(project: Project, view: ProposalView, question: Question) -> GateStanding:
    """Count the votes on the open question. The gate counts them again; this count is only shown."""
    try:
        in_force = roll_of(project).in_force()
        ballots = ballot(question, view.proposal, in_force)
        about = [vote for vote in view.votes if field_of(vote.statement, "question") == question.nonce]
        tally = ballots.count(about)
    except WhetError as problem:
        return GateStanding("", "", (), enrolled=False, needs_reason=False, passkeys=(), problem=problem.message)
    return GateStanding(
        needs=_NEEDS[ballots.assurance],
        missing=", ".join(map(str, tally.missing)),
        answered=tuple(f"{voter} said yes" for voter in tally.voters),
        enrolled=has_signers(in_force),
        needs_reason=question.tier is Tier.REQUIRE,
        passkeys=parse(in_force.passkeys),
    )
