"""What must stand on record before a deployment: invariants 1 to 4, which block."""

from collections.abc import Iterator
from typing import Any

from whet.domain.approval import Approval, Gate, Question
from whet.domain.deployment import Deployment, Rehearsal, Snapshot
from whet.domain.evidence import Evidence
from whet.domain.proposal import Proposal
from whet.domain.risk import Risk
from whet.domain.verdict import Verdict
from whet.ledger.invariants.history import History, Recorded, Violations, approved_at_require, setting


def proven(record: History) -> Violations:
    for deployed in record.every(Deployment):
        evidence = record.evidence(deployed)
        overridden = any(answer.override and approved_at_require(answer) for answer in record.answers(deployed))
        if evidence is None:
            yield [f"{named(deployed)}: the evidence it names is not on record before it"]
        elif evidence.verdict is not Verdict.PASSED and not overridden:
            yield [f"{named(deployed)}: the verdict was {evidence.verdict}, and no person overrode it at tier require"]
        else:
            yield []


def recorded(record: History) -> Violations:
    for deployed in record.every(Deployment):
        yield [f"{named(deployed)}: {gap}" for gap in _gaps(record, deployed)]


def _gaps(record: History, deployed: Recorded[Deployment]) -> Iterator[str]:
    deployment, answers = deployed.noun, record.answers(deployed)
    if not any(proposal.id == deployment.proposal for proposal in record.earlier(Proposal, deployed)):
        yield "its proposal is not on record before it"
    if record.evidence(deployed) is None:
        yield "its evidence is not on record before it"
    for gate in (Gate.APPLY, Gate.MERGE) if deployment.merged else (Gate.APPLY,):
        if not any(answer.granted and answer.gate is gate for answer in answers):
            yield f"nobody said yes to this evidence at the {gate} gate before it"
    for answer in answers:
        if not answer.granted:
            yield f"{answer.who} had answered {answer.answer} at the {answer.gate} gate before it"
    if not deployment.actor.strip():
        yield "its actor is not on record"
    if deployment.at.utcoffset() is None:
        yield "its time is not on record"


def reversible(record: History) -> Violations:
    for deployed in record.every(Deployment):
        deployment, evidence = deployed.noun, record.evidence(deployed)
        saved = [
            snapshot
            for snapshot in record.earlier(Snapshot, deployed)
            if (snapshot.id, snapshot.commit) == (deployment.snapshot, deployment.before)
        ]
        wanted = {(deployment.before, evidence.tree if evidence else "", snapshot.tree) for snapshot in saved}
        rehearsed = {(r.before, r.after, r.restores) for r in record.earlier(Rehearsal, deployed)}
        if not saved:
            yield [f"{named(deployed)}: no snapshot of {deployment.before[:10]} is on record before it"]
        elif not wanted & rehearsed:
            yield [f"{named(deployed)}: its rollback was not rehearsed before it"]
        else:
            yield []


def tiered(record: History) -> Violations:
    for given in record.every(Approval):
        if given.noun.granted:
            yield [f"{_yes(given)}: {gap}" for gap in _beyond_the_tier(record, given)]
    for deployed in record.every(Deployment):
        person = any(answer.granted and answer.approver == "person" for answer in record.answers(deployed))
        development = _environment(record, record.evidence(deployed)) == "development"
        yield [] if person or development else [f"{named(deployed)}: in production, and no person is on record"]


def _beyond_the_tier(record: History, given: Recorded[Approval]) -> Iterator[str]:
    approval = given.noun
    about = (approval.proposal, approval.gate, approval.digest, approval.tier)
    if not any((q.proposal, q.gate, q.digest, q.tier) == about for q in record.earlier(Question, given)):
        yield "no such question was asked before it"
    if approval.approver == "person":
        return
    if approval.tier.needs_person:
        yield f"tier {approval.tier} needs a person, and {approval.approver} answered"
    if approval.gate is Gate.APPLY:
        yield from _not_automatic(record, given)


def _not_automatic(record: History, given: Recorded[Approval]) -> Iterator[str]:
    proposal = next(iter(record.earlier(Proposal, given)), None)
    evidence = next((e for e in record.earlier(Evidence, given) if e.digest == given.noun.digest), None)
    policy = record.policy(evidence.policy_digest) if evidence else None
    if proposal is None or policy is None:
        yield "no person answered, and the proposal or the policy that would allow this is not on record"
        return
    if proposal.risk is not Risk.LOW:
        yield f"no person answered, and the risk is {proposal.risk}"
    if proposal.kind.value not in _list(setting(policy, "approve", "auto_kinds")):
        yield f"no person answered, and {proposal.kind} is not in approve.auto_kinds"
    if _environment(record, evidence) != "development":
        yield "no person answered, and the environment is not development"


def _environment(record: History, evidence: Evidence | None) -> Any:
    return setting(record.policy(evidence.policy_digest), "environment") if evidence else None


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def _yes(given: Recorded[Approval]) -> str:
    return f"the yes to {given.noun.proposal} at the {given.noun.gate} gate (row {given.entry.seq})"
