"""Follow a change after it reached the target branch, until it is kept, confirmed or rolled back (ADR 33)."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta

from whet.app.deployments.rollback import BY_WHET, rollback
from whet.app.project import Project
from whet.app.service.suspicion import suspicion
from whet.app.views.proposal_view import ProposalView, view_proposal
from whet.domain.clock import now
from whet.domain.deployment import Deployment
from whet.domain.finding import Finding
from whet.domain.following import FollowEnd, Following, Reached
from whet.domain.lesson import Ending
from whet.errors import Refused, StateUnusable
from whet.phases.deploy.follow import calls_since, harm_in_calls, red_again
from whet.phases.deploy.traffic import terms_of
from whet.store.events import Events
from whet.store.executions import Executions

_UNMERGED_DAYS = 30  # a branch that nobody merged by then is not followed any more


@dataclass(frozen=True, kw_only=True)
class FollowedChange:
    """A change that is followed now. `began_at` is None until the change is on the target branch.

    `decided` is a decision to roll back that has not been carried out; `suspected` is trouble since the change that proves nothing.
    """

    proposal: str
    deployment: str
    commit: str
    title: str
    began_at: datetime | None
    ends_at: datetime | None
    decided: str = ""
    suspected: str = ""


def followed_changes(project: Project) -> list[FollowedChange]:
    """Return the changes that are followed, oldest first. They follow from the ledger and git, so a restart loses none."""
    hours = project.policy.deploy.monitor_hours
    if not hours:
        return []
    oldest = now() - timedelta(days=_UNMERGED_DAYS, hours=hours)
    last = {
        entry.subject: entry.read(Deployment).id for entry in project.ledger.entries(kind="Deployment", since=oldest)
    }
    decisions = (entry.read(Following) for entry in project.ledger.entries(kind="Following", since=oldest))
    over = {decision.deployment for decision in decisions if decision.end.is_over}
    deployed = {proposal for proposal, deployment in last.items() if deployment not in over}
    views = [view_proposal(project.ledger, proposal) for proposal in sorted(deployed) if proposal.startswith("p-")]
    changes = [_change(project, view, timedelta(hours=hours)) for view in views]
    return sorted((change for change in changes if change), key=lambda change: change.deployment)


def _change(project: Project, view: ProposalView, length: timedelta) -> FollowedChange | None:
    deployment, lesson = view.deployment, view.lesson
    if deployment is None or lesson is None or not lesson.ending.worked:
        return None
    decisions = _decisions(project, deployment)
    if any(decision.end.is_over for decision in decisions):
        return None
    to_roll_back = [decision.why for decision in decisions if decision.end is FollowEnd.DOES_NOT_HOLD]
    suspected = [decision.why for decision in decisions if decision.end is FollowEnd.SUSPECTED]
    began_at = deployment.at if deployment.merged else _reached_at(project, deployment)
    return FollowedChange(
        proposal=view.proposal.id,
        deployment=deployment.id,
        commit=deployment.landed_as,
        title=view.proposal.title,
        began_at=began_at,
        ends_at=began_at + length if began_at else None,
        decided=to_roll_back[-1] if to_roll_back else "",
        suspected=suspected[-1] if suspected else "",
    )


def _decisions(project: Project, deployment: Deployment) -> list[Following]:
    entries = project.ledger.entries(kind="Following", subject=deployment.proposal)
    decisions = (entry.read(Following) for entry in entries)
    return [decision for decision in decisions if decision.deployment == deployment.id]


def _reached_at(project: Project, deployment: Deployment) -> datetime | None:
    entry = project.ledger.find(f"{deployment.id}/reached")
    return entry.read(Reached).at if entry else None


def follow_is_due(project: Project) -> str:
    """Return what has to be decided about a followed change; empty if nothing has."""
    for change in followed_changes(project):
        if change.decided:
            return f"roll {change.proposal} back: {change.decided}"
        if change.began_at is None:
            if project.git.is_ancestor(change.commit, project.ref):
                return f"{change.proposal} is on the target branch now"
        elif signs := _signs(project, change, change.began_at):
            return f"{change.proposal}: {signs}"
        elif change.ends_at and now() >= change.ends_at:
            return f"{change.proposal} has been followed for long enough"
    return ""


def follow(project: Project) -> list[str]:
    """Decide what is due about every followed change, and roll back those that do not hold. Return what was done."""
    return [line for change in followed_changes(project) for line in _follow(project, change)]


def _follow(project: Project, change: FollowedChange) -> Iterator[str]:
    if change.decided:
        yield _roll_back(project, change, change.decided)
    elif change.began_at is None:
        if project.git.is_ancestor(change.commit, project.ref):
            reached = Reached(deployment=change.deployment, proposal=change.proposal, commit=change.commit, at=now())
            key = f"{change.deployment}/reached"
            project.ledger.append("deploy", reached, subject=change.proposal, key=key)
            yield f"{change.proposal} is on the target branch and is followed"
    elif harm := _harm(project, change, change.began_at):
        _record(project, change, FollowEnd.DOES_NOT_HOLD, harm)
        yield _roll_back(project, change, harm)
    elif seen := _seen_again(project, change, change.began_at):
        yield _came_back(project, change, seen)
    elif trouble := _new_suspicion(project, change, change.began_at):
        _record(project, change, FollowEnd.SUSPECTED, trouble)
        yield f"{change.proposal} is suspected: {trouble}; `whet rollback {change.proposal}` takes it back"
    elif change.ends_at and now() >= change.ends_at:
        yield _end(project, change, change.began_at)


def _signs(project: Project, change: FollowedChange, since: datetime) -> str:
    return (
        _harm(project, change, since) or _seen_again(project, change, since) or _new_suspicion(project, change, since)
    )


def _new_suspicion(project: Project, change: FollowedChange, since: datetime) -> str:
    """Return trouble in reports since the change, unless some is on record. A file that cannot be read shows none."""
    if change.suspected:
        return ""
    view = view_proposal(project.ledger, change.proposal)
    paths = view.built.patch.paths if view.built and view.built.patch else ()
    try:
        return suspicion(Events(project.state), paths, project.policy.sources, since)
    except StateUnusable:
        return ""


def _harm(project: Project, change: FollowedChange, since: datetime) -> str:
    """Return what captured calls show against the change. A file that cannot be read shows nothing."""
    view = view_proposal(project.ledger, change.proposal)
    patch = view.built.patch if view.built else None
    if view.deployment is None or patch is None:
        return ""
    signature = str(view.proposal.diagnosis.finding.signals[0].payload.get("signature", ""))
    try:
        executions = Executions(project.state)
        terms = terms_of(project.policy.deploy)
        return harm_in_calls(executions, project.git, view.deployment, patch.paths, signature, since, terms)
    except StateUnusable:
        return ""


def _seen_again(project: Project, change: FollowedChange, since: datetime) -> str:
    """Return the look that found the same failure on a commit that holds the change; empty if none did."""
    signature = view_proposal(project.ledger, change.proposal).proposal.signature
    for entry in project.ledger.entries(kind="Findings", since=since):
        if all(finding.signature != signature for finding in entry.read(tuple[Finding, ...])):
            continue
        base = project.ledger.find(f"{entry.subject}/observe/base")
        if base and project.git.is_ancestor(change.commit, base.read(str)):
            return f"its failure was found again on {base.read(str)[:10]} by {entry.subject}"
    return ""


def _came_back(project: Project, change: FollowedChange, seen: str) -> str:
    """Decide about a failure that a look found again: roll back only if the deployed commit itself shows it."""
    view = view_proposal(project.ledger, change.proposal)
    targets = view.evidence.targets if view.evidence else ()
    red = red_again(project.kit.suite, project.git.tree_of(change.commit), targets)
    if red is None:
        why = f"{seen}, and the target tests could not be run on the deployed commit"
        _record(project, change, FollowEnd.NEEDS_PERSON, why)
        return f"{change.proposal} needs a person: {why}"
    if red:
        why = f"{seen}, and on the deployed commit too: {red}"
        _record(project, change, FollowEnd.DOES_NOT_HOLD, why)
        return _roll_back(project, change, why)
    why = f"{seen}; the deployed commit itself is green, so later commits are the cause"
    _record(project, change, FollowEnd.CAME_BACK, why)
    return f"{change.proposal} stays: {why}"


def _end(project: Project, change: FollowedChange, since: datetime) -> str:
    """Stop following a change that did no harm, and record whether later looks or calls confirm it."""
    looks = [
        entry
        for entry in project.ledger.entries(kind="Findings", since=since)
        if (base := project.ledger.find(f"{entry.subject}/observe/base"))
        and project.git.is_ancestor(change.commit, base.read(str))
    ]
    view = view_proposal(project.ledger, change.proposal)
    paths = view.built.patch.paths if view.built and view.built.patch else ()
    calls = _calls(project, view.deployment, paths, since) if view.deployment else 0
    end = FollowEnd.CONFIRMED if looks or calls else FollowEnd.KEPT
    why = f"not seen again in {len(looks)} later looks and {calls} captured calls"
    _record(project, change, end, why if end is FollowEnd.CONFIRMED else "nothing ran since, so nothing was seen")
    return f"{change.proposal} {end.value}: {why}"


def _calls(project: Project, deployment: Deployment, paths: tuple[str, ...], since: datetime) -> int:
    """Return the number of captured calls of the deployed source. A file that cannot be read counts none."""
    try:
        return calls_since(Executions(project.state), project.git, deployment, paths, since)
    except StateUnusable:
        return 0


def _roll_back(project: Project, change: FollowedChange, why: str) -> str:
    try:
        rollback(project, change.proposal, why, who=BY_WHET)
    except Refused as refusal:
        if view_proposal(project.ledger, change.proposal).status == Ending.ROLLED_BACK.value:
            return f"{change.proposal} was rolled back already"
        _record(
            project, change, FollowEnd.NEEDS_PERSON, f"{why}; not rolled back: {refusal.message} ({refusal.remedy})"
        )
        return f"{change.proposal} needs a person: {refusal.message}"
    return f"{change.proposal} was rolled back: {why}"


def _record(project: Project, change: FollowedChange, end: FollowEnd, why: str) -> None:
    decision = Following(
        deployment=change.deployment,
        proposal=change.proposal,
        end=end,
        why=why,
        began_at=change.began_at or now(),
        at=now(),
    )
    key = f"{change.deployment}/followed/{end.value}"
    project.ledger.append("deploy", decision, subject=change.proposal, key=key)
