"""Invariants 1 to 4: what must be recorded before a deployment. A violation blocks."""

from collections.abc import Iterator
from typing import Any

from whet.domain.approval import Approval, Gate, Question, Tier
from whet.domain.deployment import Deployment, Rehearsal, Snapshot
from whet.domain.evidence import Evidence
from whet.domain.proposal import Proposal
from whet.domain.risk import Risk
from whet.domain.verdict import Verdict
from whet.ledger.invariants.history import History, Recorded, Violations, approved_at_require, describe, setting


def proven(history: History) -> Violations:
    """Check invariant 1: the evidence passed, or a person overrode its verdict."""
    for deployed in history.every(Deployment):
        evidence = history.evidence(deployed)
        overridden = any(answer.override and approved_at_require(answer) for answer in history.answers(deployed))
        if evidence is None:
            yield [f"{describe(deployed)}: the evidence it names is not on record before it"]
        elif evidence.verdict is not Verdict.PASSED and not overridden:
            yield [
                f"{describe(deployed)}: the verdict was {evidence.verdict}, and no person overrode it at tier require"
            ]
        else:
            yield []


def recorded(history: History) -> Violations:
    """Check invariant 2: proposal, evidence, approvals, time and actor are on record."""
    for deployed in history.every(Deployment):
        yield [f"{describe(deployed)}: {gap}" for gap in _gaps(history, deployed)]


def _gaps(history: History, deployed: Recorded[Deployment]) -> Iterator[str]:
    deployment, answers = deployed.noun, history.answers(deployed)
    if not any(proposal.id == deployment.proposal for proposal in history.earlier(Proposal, deployed)):
        yield "its proposal is not on record before it"
    if history.evidence(deployed) is None:
        yield "its evidence is not on record before it"
    for gate in (Gate.APPLY, Gate.MERGE) if deployment.merged else (Gate.APPLY,):
        if not any(answer.granted and answer.gate is gate for answer in answers):
            yield f"nobody approved this evidence at the {gate} gate before it"
    for answer in answers:
        if not answer.granted:
            yield f"{answer.who} had answered {answer.answer} at the {answer.gate} gate before it"
    if not deployment.actor.strip():
        yield "its actor is not on record"
    if deployment.at.utcoffset() is None:
        yield "its time is not on record"


def reversible(history: History) -> Violations:
    """Check invariant 3: a snapshot of the old commit, and a rehearsal that restored exactly its tree."""
    for deployed in history.every(Deployment):
        deployment, evidence = deployed.noun, history.evidence(deployed)
        snapshots = [
            snapshot
            for snapshot in history.earlier(Snapshot, deployed)
            if (snapshot.id, snapshot.commit) == (deployment.snapshot, deployment.before)
        ]
        needed = {(deployment.before, evidence.tree if evidence else "", snapshot.tree) for snapshot in snapshots}
        rehearsed = {
            (rehearsal.before, rehearsal.after, rehearsal.restores)
            for rehearsal in history.earlier(Rehearsal, deployed)
        }
        if not snapshots:
            yield [f"{describe(deployed)}: no snapshot of {deployment.before[:10]} is on record before it"]
        elif not needed & rehearsed:
            yield [f"{describe(deployed)}: its rollback was not rehearsed before it"]
        else:
            yield []


def tiered(history: History) -> Violations:
    """Check invariant 4: every approval fits its tier, and a person approved every deployment in production."""
    for approved in history.every(Approval):
        if approved.noun.granted:
            approval = approved.noun
            name = f"the approval of {approval.proposal} at the {approval.gate} gate (row {approved.entry.seq})"
            yield [f"{name}: {gap}" for gap in _beyond_the_tier(history, approved)]
    for deployed in history.every(Deployment):
        person = any(answer.granted and answer.approver == "person" for answer in history.answers(deployed))
        development = _environment(history, history.evidence(deployed)) == "development"
        if person or development:
            yield []
        else:
            yield [f"{describe(deployed)}: in production, and no person is on record"]


def _beyond_the_tier(history: History, approved: Recorded[Approval]) -> Iterator[str]:
    approval = approved.noun
    subject = (approval.proposal, approval.gate, approval.digest, approval.tier)
    questions = history.earlier(Question, approved)
    if not any((question.proposal, question.gate, question.digest, question.tier) == subject for question in questions):
        yield "no such question was asked before it"
    if approval.approver == "person" or _is_merge_on_forge(approval):
        return
    if approval.tier.needs_person:
        yield f"tier {approval.tier} needs a person, and {approval.approver} answered"
    if approval.gate is Gate.APPLY:
        yield from _not_automatic(history, approved)


def _is_merge_on_forge(approval: Approval) -> bool:
    """True for a merge by people on a forge, if the tier asks for no stronger proof of who they are."""
    return (approval.approver, approval.gate, approval.tier) == ("forge", Gate.MERGE, Tier.CONFIRM)


def _not_automatic(history: History, approved: Recorded[Approval]) -> Iterator[str]:
    """Yield the reasons why an apply gate must not have been passed without a person."""
    proposal = next(iter(history.earlier(Proposal, approved)), None)
    evidence = next((e for e in history.earlier(Evidence, approved) if e.digest == approved.noun.digest), None)
    policy = history.policy(evidence.policy_digest) if evidence else None
    if proposal is None or policy is None:
        yield "no person answered, and the proposal or the policy that would allow this is not on record"
        return
    if proposal.risk is not Risk.LOW:
        yield f"no person answered, and the risk is {proposal.risk}"
    auto_kinds = setting(policy, "approve", "auto_kinds")
    if not isinstance(auto_kinds, list) or proposal.kind.value not in auto_kinds:
        yield f"no person answered, and {proposal.kind} is not in approve.auto_kinds"
    if _environment(history, evidence) != "development":
        yield "no person answered, and the environment is not development"


def _environment(history: History, evidence: Evidence | None) -> Any:
    return setting(history.policy(evidence.policy_digest), "environment") if evidence else None
