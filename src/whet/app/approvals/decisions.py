"""Answers at the gates, from any client. The gate itself counts the votes again."""

import os
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from whet.app.cycles.loop import actor
from whet.app.project import Project
from whet.app.views.proposal_view import ProposalView, view_proposal
from whet.domain.approval import Answer, Approval, Gate, Question, Vote, Voter
from whet.domain.approvers import Approvers, Seats
from whet.domain.canonical import digest as digest_of
from whet.domain.clock import now
from whet.domain.proof import OsProof, PasskeyProof, Proof, SshProof
from whet.domain.pull_request import RequestState
from whet.domain.redact import redact
from whet.domain.redact_noun import redact_noun
from whet.domain.statement import ApprovalStatement
from whet.domain.verdict import Verdict
from whet.errors import Refused
from whet.git.git import ZERO
from whet.phases.approve.counters import refuse_cloned
from whet.phases.approve.person import ballot, decision_key, grant, refuse, refuse_closed
from whet.phases.approve.reviews import offered_commit
from whet.phases.approve.roll import Roll
from whet.phases.approve.step import topic
from whet.phases.approve.votes import Tally
from whet.phases.deploy.branch import branch_of
from whet.phases.deploy.rollback import deploy_lock
from whet.signing import passkeys


@dataclass(frozen=True, kw_only=True)
class GivenAnswer:
    """The circumstances of a person's answer: the client, the reason, the digest it is about, and who signed it.

    `who` and `proof` are a signer and their signature over the statement. Without a signature the answer is that of the
    user of this process, which proves nobody. If `digest` is given, it must be the beginning of the digest that is open.
    """

    via: str
    why: str = ""
    digest: str = ""
    who: str = ""
    proof: Proof | None = None


@dataclass(frozen=True, kw_only=True)
class Receipt:
    """A recorded answer and the approval that it gives. `approval` is None while votes of other people are missing."""

    question: Question
    answer: Answer
    voter: Voter | None
    approval: Approval | None
    missing: tuple[Seats, ...] = ()


def roll_of(project: Project) -> Roll:
    return Roll(project.git, project.ledger, project.policy, project.ref)


def open_question(project: Project, proposal: str) -> Question:
    """Return the question that a proposal waits for."""
    return _open(view_proposal(project.ledger, proposal))


def statement(project: Project, proposal: str, who: str, why: str) -> str:
    """Return the text by which `who` says yes at the open gate of a proposal. It is what they sign.

    Secrets in the reason are redacted before it is signed, because the ledger would redact them afterwards.
    """
    question, approvers = open_question(project, proposal), roll_of(project).in_force().digest
    return _statement(question, approvers, redact(why), who)


def answer(project: Project, proposal: str, decision: Answer, given: GivenAnswer) -> Receipt:
    """Record a person's answer to the open question. With the last vote of a quorum, wake the workflow that waits."""
    refuse_useless_answer(project)
    view = view_proposal(project.ledger, proposal)
    question = _open(view)
    refuse_closed(question, given.digest)
    if decision is not Answer.APPROVED:
        no = refuse(question, decision, who=actor(), via=given.via, why=given.why)
        return Receipt(question=question, answer=decision, voter=None, approval=record(project, question, no))
    if (
        view.waits_on_forge
        and view.request
        and project.policy.forge.merge == "people"
        and not _is_merged(project, view)
    ):
        raise Refused(f"the merge gate of {proposal} is answered on the forge", f"merge {view.request.url} there")
    in_force = roll_of(project).in_force()
    text = partial(_statement, question, in_force.digest, given.why)
    voter, tally = count_in(project, view, question, in_force, vote_of(text, given))
    if not tally.complete:
        return Receipt(question=question, answer=decision, voter=voter, approval=None, missing=tally.missing)
    yes = grant(question, tally, override=question.gate is not Gate.PLAN and not passed(view))
    return Receipt(question=question, answer=decision, voter=voter, approval=record(project, question, yes))


def _is_merged(project: Project, view: ProposalView) -> bool:
    """True if the pull request of the open question is merged. If whet's own account did it, a person may still say yes."""
    return view.request is not None and project.kit.forge().look(view.request.number).state is RequestState.MERGED


def _statement(question: Question, approvers: str, why: str, who: str) -> str:
    return ApprovalStatement.about(question, approvers, Answer.APPROVED, who, why).text


def refuse_useless_answer(project: Project) -> None:
    """Refuse to record an answer in a damaged ledger, or under a policy that names an unknown engine: nothing could act
    on that answer."""
    project.ledger.refuse_if_damaged()
    project.refuse_unknown_engines()


def vote_of(statement: Callable[[str], str], given: GivenAnswer) -> Vote:
    """Return the vote of a signer; without a signature, that of the user of this process. `statement` returns the text
    that a person agrees to, for the person's name. Refuse a signed text that holds a secret."""
    who, proof = given.who, given.proof
    if proof is None or isinstance(proof, OsProof):
        who, proof = actor(), OsProof(uid=os.getuid(), user=actor())
    vote = Vote(statement=getattr(proof, "statement", statement(who)), proof=proof, via=given.via, at=now())
    refuse_secrets(vote)
    return vote


def count_in(
    project: Project, view: ProposalView, question: Question, in_force: Approvers, vote: Vote
) -> tuple[Voter, Tally]:
    """Record a vote that counts, and return its voter with the count so far. Raise NotCounted if it does not count."""
    ballots = ballot(question, view.proposal, in_force, offered_commit(project.ledger, question))
    voter = ballots.voter(vote)
    refuse_cloned(vote.proof, all_votes(project), passkeys.parse(in_force.passkeys))
    start = f"vote/{question.proposal}/{question.gate}/{question.digest}/"
    key = f"{start}{voter.who}/{digest_of(vote.proof)[:12]}/{in_force.digest[:12]}"
    project.ledger.append("approve", vote, subject=question.proposal, key=key, actor=voter.who)
    entries = project.ledger.entries(kind="Vote", subject=question.proposal)
    return voter, ballots.count(entry.unedited().read(Vote) for entry in entries if entry.key.startswith(start))


def all_votes(project: Project) -> list[Vote]:
    """Return every vote on record, on every question."""
    return [entry.unedited().read(Vote) for entry in project.ledger.entries(kind="Vote")]


def refuse_secrets(vote: Vote) -> None:
    """Refuse a signed statement that the ledger would change: the record would no longer prove the signature."""
    if isinstance(vote.proof, SshProof | PasskeyProof) and redact_noun(vote) != vote:
        raise Refused(
            "the reason in the signed statement holds something that looks like a secret",
            "make the statement again with another --why, and sign that",
        )


def record(project: Project, question: Question, approval: Approval) -> Approval:
    """Record the decision on a question and wake the workflow that waits for it."""
    key, proposal = decision_key(question), question.proposal
    recorded = project.ledger.append("approve", approval, subject=proposal, key=key, actor=approval.who).read(Approval)
    project.ledger.publish()
    if recorded.answer is not approval.answer:
        raise Refused(f"{recorded.who} answered {recorded.answer} first", f"`whet show {proposal}`")
    from whet.durable import wake  # the engine takes a while to load

    wake(project.state, proposal, topic(question), project.address)
    return recorded


def withdraw(project: Project, proposal: str, why: str) -> Approval:
    """Withdraw an approval while nothing has been deployed; afterwards only a rollback helps."""
    view = view_proposal(project.ledger, proposal)
    if view.lesson or any(deployment.merged for deployment in view.deployments):
        raise Refused(f"{proposal} has ended: {view.status}", f"`whet rollback {proposal}` rolls the deployment back")
    if question := view.open_question:
        project.ledger.refuse_if_damaged()
        refuse_closed(question, "")
        return record(project, question, refuse(question, Answer.WITHDRAWN, who=actor(), via="cli", why=why))
    granted = [approval for approval in view.approvals if approval.granted and approval.gate is not Gate.PLAN]
    if not granted:
        raise Refused(f"{proposal} has no approval that could be withdrawn")
    last = granted[-1]
    withdrawal = Approval(
        proposal=proposal,
        gate=last.gate,
        tier=last.tier,
        answer=Answer.WITHDRAWN,
        approver="person",
        who=actor(),
        via="cli",
        digest=last.digest,
        decided_at=now(),
        why=why,
    )
    key = f"withdrawal/{proposal}/{last.gate.value}/{last.digest}"
    with deploy_lock(project.state):
        if _is_deployed(project, proposal, last.digest):
            raise Refused(f"{proposal} has been deployed already", f"`whet rollback {proposal}` rolls it back")
        project.ledger.append("approve", withdrawal, subject=proposal, key=key, actor=withdrawal.who)
    return withdrawal


def _is_deployed(project: Project, proposal: str, digest: str) -> bool:
    """True if this evidence is deployed: by the record, or by its commit if the record was cut off.

    The commit counts because a deployment may have been interrupted before it was recorded. The branch is the proposal's
    own one only if the policy does not merge; otherwise that branch is an intermediate step of the deployment.
    """
    strategy, view = project.policy.deploy.strategy, view_proposal(project.ledger, proposal)
    rolled_back = {rollback.deployment for rollback in view.rollbacks}
    deployments = [
        deployment
        for deployment in view.deployments
        if (deployment.strategy, deployment.evidence_digest) == (strategy, digest)
    ]
    if any(deployment.id not in rolled_back for deployment in deployments):
        return True
    ref = project.ref if project.policy.deploy.merges else branch_of(proposal)
    tip = project.git.read_ref(ref)
    return tip != ZERO and project.git.log(tip, limit=1)[0].trailers.get("Whet-Evidence") == digest


def _open(view: ProposalView) -> Question:
    if question := view.open_question:
        return question
    ended = f"it has ended: {view.status}" if view.lesson else "it is being worked on"
    raise Refused(f"{view.proposal.id} has no open question: {ended}", f"`whet show {view.proposal.id}`")


def passed(view: ProposalView) -> bool:
    return view.evidence is not None and view.evidence.verdict is Verdict.PASSED
