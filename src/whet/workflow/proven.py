"""The last look at the approvals before a deployment: every yes is proven again, at the tier that the change needs now.

The ledger can be written by any process of the same user. So the tier is computed again, and the votes are counted again
with the approvers of the target branch.
"""

from collections.abc import Collection, Sequence

from whet.config import Config
from whet.domain.approval import Approval, Gate, Question, Tier
from whet.domain.approvers import Approvers
from whet.domain.evidence import Evidence, GuardFinding
from whet.domain.proposal import Proposal
from whet.domain.review import WORST_FIRST, Review
from whet.errors import BaseMoved, NotCounted, Refused, UnprovenApproval
from whet.guard.tier import tier
from whet.ledger.ledger import Ledger
from whet.phases.approve.person import ballot, refuse_unproven, suppliers
from whet.phases.approve.reviews import offered_commit
from whet.phases.approve.roll import Roll
from whet.phases.approve.votes import Ballot


def question_step(gate: Gate, digest: str) -> str:
    """Return the name of the step that asks at a gate about a digest."""
    return f"ask-{gate.value}-{digest[:12]}"


def review_of(ledger: Ledger, evidence: Evidence) -> Review | None:
    """Return the worst review of this evidence; None if there was none. A later one does not erase a concern."""
    entries = ledger.entries(kind="Review", subject=evidence.proposal)
    reviews = [review for entry in entries if (review := entry.read(Review)).evidence == evidence.digest]
    return min(reviews, key=lambda review: WORST_FIRST.index(review.answer), default=None)


def refuse_unproven_approvals(
    approvals: Sequence[Approval],
    gates: Collection[Gate],
    proposal: Proposal,
    evidence: Evidence,
    guard: Sequence[GuardFinding],
    policy: Config,
    roll: Roll,
    ledger: Ledger,
) -> None:
    """Raise UnprovenApproval if a yes is not proven; raise BaseMoved if the approvers changed since, to ask again.

    Raise NotCounted if a key that signed has expired since, or if any program of this user can sign with it now.
    """
    in_force = roll.in_force()
    for approval in approvals:
        if not approval.granted or approval.gate not in gates:
            continue
        required = _required(approval.gate, proposal, evidence, guard, policy, ledger)
        if not _is_by_person(approval, required):
            continue
        voted = in_force
        if approval.votes and not _names(approval, in_force):
            if approval.gate is not Gate.PLAN:
                raise BaseMoved("the approvers have changed since the approval")
            voted = _approvers_of(approval, roll)  # a plan is asked about once
        question = _question(approval, required, ledger)
        commit = offered_commit(ledger, question)
        refuse_unproven(approval, Ballot(question, voted, suppliers(proposal), approval.decided_at, commit))
        recount = ballot(question, proposal, voted, commit).count(approval.votes)
        if not recount.complete:
            raise NotCounted(
                f"the approval at the {approval.gate} gate no longer counts: {'; '.join(recount.ignored)}",
                f"remove the key from every ssh-agent (ssh-add -d), then `whet resume`; or `whet withdraw {proposal.id}`",
            )


def _required(
    gate: Gate,
    proposal: Proposal,
    evidence: Evidence,
    guard: Sequence[GuardFinding],
    policy: Config,
    ledger: Ledger,
) -> Tier:
    """Return the tier that a gate must ask for. A plan is asked about before there is any evidence."""
    required, _ = tier(
        gate=gate,
        risk=proposal.risk,
        kind=proposal.kind,
        category=proposal.category,
        verdict=None if gate is Gate.PLAN else evidence.verdict,
        findings=() if gate is Gate.PLAN else guard,
        policy=policy,
        undecided=None if gate is Gate.PLAN else evidence.undecided,
        review=None if gate is Gate.PLAN else review_of(ledger, evidence),
    )
    return required


def _names(approval: Approval, approvers: Approvers) -> bool:
    return any(f"\napprovers: {approvers.digest}\n" in vote.statement for vote in approval.votes)


def _approvers_of(approval: Approval, roll: Roll) -> Approvers:
    """Return the approvers whose digest the votes name. Raise UnprovenApproval if they never were in force."""
    for link in reversed(roll.chain().links):
        if _names(approval, link.approvers):
            return link.approvers
    raise UnprovenApproval(f"the approval at the {approval.gate} gate is by approvers who were never in force")


def _is_by_person(approval: Approval, required: Tier) -> bool:
    """True if people answered, false if the policy may answer and did. Raise UnprovenApproval for anybody else."""
    if approval.approver == "person":
        return True
    if approval.approver == "policy" and not required.needs_person and not approval.tier.needs_person:
        return False
    raise UnprovenApproval(f"{approval.approver} answered at the {approval.gate} gate, where a person is needed")


def _question(approval: Approval, required: Tier, ledger: Ledger) -> Question:
    """Return the question that an approval answers. Refuse one that asked for less than the change needs."""
    entry = ledger.find(f"{approval.proposal}/approve/{question_step(approval.gate, approval.digest)}")
    if entry is None:
        raise Refused(f"no question was asked at the {approval.gate} gate")
    question = entry.unedited().read(Question)
    if question.tier.rank < required.rank:
        raise UnprovenApproval(
            f"the {approval.gate} gate asked at tier {question.tier}, and the change needs {required}",
            "`whet audit` shows what is on record; start again with `whet run`",
        )
    return question
