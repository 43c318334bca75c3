"""Decisions of undecided calls: who made them, and the answer at the gate that they give. They approve nothing."""

from dataclasses import replace

from whet.domain.approval import Answer, Approval, Question, Ruling, Tier, Vote, Voter
from whet.domain.approvers import Approvers
from whet.domain.clock import now
from whet.domain.statement import RulingStatement, field_of
from whet.domain.undecided_call import UndecidedCall
from whet.errors import NotCounted, Refused, UnprovenApproval
from whet.phases.approve.votes import Ballot, is_before, verify

PROOF_TIER = Tier.CONFIRM
"""A decision needs the proof of this tier: it deploys nothing, and the apply gate asks for its own tier afterwards."""


def author(vote: Vote, question: Question, call: UndecidedCall, answer: str, approvers: Approvers) -> Voter:
    """Return the person who decided a call. Raise NotCounted if the statement is another one or the proof too weak."""
    who, why = field_of(vote.statement, "who"), field_of(vote.statement, "why")
    if vote.statement != RulingStatement.about(question, call, answer, approvers.digest, who, why).text:
        raise NotCounted(
            "the statement is not the one of the open question: call, answer, evidence or approvers differ",
            "look again, and answer what is shown",
        )
    if vote.at >= question.expires_at:
        raise NotCounted("the answer is later than the end of the question")
    if is_before(vote.at, question.asked_at):
        raise NotCounted("the answer is earlier than its question")
    voter = verify(vote, approvers, vote.at)
    try:
        Ballot(replace(question, tier=PROOF_TIER), approvers, frozenset(), vote.at).refuse_weak(voter)
    except NotCounted as weak:
        raise NotCounted(weak.message, weak.remedy.replace("whet approve ID", "whet answer ID 1")) from weak
    return voter


def decide(question: Question, ruling: Ruling) -> Approval:
    """Return the answer at the gate that a decision gives: not a yes, but another proof."""
    return Approval(
        proposal=question.proposal,
        gate=question.gate,
        tier=question.tier,
        answer=Answer.DECIDED,
        approver="person",
        who=ruling.voter.who,
        via=ruling.vote.via,
        digest=question.digest,
        decided_at=now(),
        why=field_of(ruling.vote.statement, "why"),
        ruling=ruling,
    )


def refuse_unproven_ruling(approval: Approval, question: Question, approvers: Approvers) -> None:
    """Raise UnprovenApproval unless the vote in a recorded decision proves who made it."""
    ruling = approval.ruling
    if ruling is None:
        raise UnprovenApproval(f"the decision on {approval.proposal} names no call", "`whet audit` shows the record")
    call = UndecidedCall(call=ruling.call, function=ruling.function, path=ruling.path, answers=())
    try:
        voter = author(ruling.vote, question, call, ruling.answer, approvers)
    except Refused as refusal:
        raise UnprovenApproval(f"the decision on {ruling.call} is not proven: {refusal.message}") from refusal
    if voter != ruling.voter or call.id != ruling.undecided:
        raise UnprovenApproval(f"the decision on {ruling.call} names another person than its proof")
