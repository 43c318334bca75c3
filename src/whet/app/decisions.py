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
    project: Project, proposal: str, given: Answer, *, via: str, why: str = "", digest: str = "", who: str = ""
) -> Approval:
    """Record a person's answer to the open question and wake the workflow that waits for it.

    `digest` is the beginning of the digest that the person saw; it must match the question's.
    """
    project.ledger.refuse_if_damaged()
    project.refuse_unknown_engines()
    found = view_proposal(project.ledger, proposal)
    question = _open(found)
    override = given is Answer.APPROVED and question.gate is not Gate.PLAN and not _passed(found)
    approval = decide(question, given, who=who or actor(), via=via, why=why, shown=digest, override=override)
    key = decision_key(question)
    recorded = project.ledger.append("approve", approval, subject=proposal, key=key, actor=approval.who).read(Approval)
    if recorded.answer is not given:
        raise Refused(f"{recorded.who} answered {recorded.answer} first", f"`whet show {proposal}`")
    from whet.durable import wake  # the engine takes a while to load

    wake(project.state, proposal, topic(question), project.address)
    return recorded


def withdraw(project: Project, proposal: str, why: str) -> Approval:
    """Withdraw an approval while nothing has been deployed; afterwards only a rollback helps."""
    found = view_proposal(project.ledger, proposal)
    if found.lesson or any(deployment.merged for deployment in found.deployments):
        raise Refused(f"{proposal} has ended: {found.status}", f"`whet rollback {proposal}` rolls a deployment back")
    if found.open_question:
        return answer(project, proposal, Answer.WITHDRAWN, via="cli", why=why)
    granted = [given for given in found.approvals if given.granted and given.gate is not Gate.PLAN]
    if not granted:
        raise Refused(f"{proposal} has no approval that could be withdrawn")
    last = granted[-1]
    taken = Approval(
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
        if _stands(project, proposal, last.digest):
            raise Refused(f"{proposal} has been deployed already", f"`whet rollback {proposal}` rolls it back")
        project.ledger.append("approve", taken, subject=proposal, key=key, actor=taken.who)
    return taken


def _stands(project: Project, proposal: str, digest: str) -> bool:
    """True if this evidence is deployed, according to the ledger or to the last commit of the branch.

    The commit counts because a deployment may have been interrupted before it was recorded. The branch is the proposal's
    own one only if the policy does not merge; otherwise that branch is an intermediate step of the deployment.
    """
    strategy, found = project.policy.deploy.strategy, view_proposal(project.ledger, proposal)
    taken_back = {done.deployment for done in found.rollbacks}
    out = [one for one in found.deployments if (one.strategy, one.evidence_digest) == (strategy, digest)]
    if any(one.id not in taken_back for one in out):
        return True
    ref = project.ref if project.policy.deploy.merges else branch_of(proposal)
    tip = project.git.read_ref(ref)
    return tip != ZERO and project.git.log(tip, limit=1)[0].trailers.get("Whet-Evidence") == digest


def _open(found: ProposalView) -> Question:
    if question := found.open_question:
        return question
    ended = f"it has ended: {found.status}" if found.lesson else "it is being worked on"
    raise Refused(f"{found.proposal.id} has no open question: {ended}", f"`whet show {found.proposal.id}`")


def _passed(found: ProposalView) -> bool:
    return found.evidence is not None and found.evidence.verdict is Verdict.PASSED
