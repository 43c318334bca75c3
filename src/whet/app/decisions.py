"""Answers at the gates, from any client."""

from whet.app.loop import actor
from whet.app.project import Project
from whet.app.proposal_view import ProposalView, view_proposal
from whet.domain.approval import Answer, Approval, Gate, Question
from whet.domain.clock import now
from whet.domain.verdict import Verdict
from whet.errors import Refused
from whet.git.git import ZERO
from whet.phases.approve.person import decide, decision_key
from whet.phases.approve.step import topic
from whet.phases.deploy.branch import branch_of
from whet.phases.deploy.rollback import deploy_lock


def answer(
    project: Project, proposal: str, decision: Answer, *, via: str, why: str = "", digest: str = "", who: str = ""
) -> Approval:
    """Record a person's answer to the open question and wake the workflow that waits for it.

    `digest` is the beginning of the digest that the person saw; it must match the question's.
    """
    project.ledger.refuse_if_damaged()
    project.refuse_unknown_engines()
    view = view_proposal(project.ledger, proposal)
    question = _open(view)
    override = decision is Answer.APPROVED and question.gate is not Gate.PLAN and not _passed(view)
    approval = decide(question, decision, who=who or actor(), via=via, why=why, shown=digest, override=override)
    key = decision_key(question)
    recorded = project.ledger.append("approve", approval, subject=proposal, key=key, actor=approval.who).read(Approval)
    if recorded.answer is not decision:
        raise Refused(f"{recorded.who} answered {recorded.answer} first", f"`whet show {proposal}`")
    from whet.durable import wake  # the engine takes a while to load

    wake(project.state, proposal, topic(question), project.address)
    return recorded


def withdraw(project: Project, proposal: str, why: str) -> Approval:
    """Withdraw an approval while nothing has been deployed; afterwards only a rollback helps."""
    view = view_proposal(project.ledger, proposal)
    if view.lesson or any(deployment.merged for deployment in view.deployments):
        raise Refused(f"{proposal} has ended: {view.status}", f"`whet rollback {proposal}` rolls the deployment back")
    if view.open_question:
        return answer(project, proposal, Answer.WITHDRAWN, via="cli", why=why)
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


def _passed(view: ProposalView) -> bool:
    return view.evidence is not None and view.evidence.verdict is Verdict.PASSED
