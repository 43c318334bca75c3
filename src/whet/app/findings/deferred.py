"""The findings of the last look for which nothing is proposed now, each with the reason and the end of the wait."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta

from whet.app.project import Project
from whet.app.service.heartbeat import last_beat
from whet.app.views.proposal_view import open_proposals
from whet.config import ServicePolicy
from whet.domain.clock import now
from whet.domain.finding import Finding, FindingKind
from whet.domain.lesson import Lesson
from whet.domain.proposal import Proposal
from whet.domain.reservation import Resource
from whet.guard.answer import Refuse
from whet.guard.noise import Asked, may_ask, may_ask_about_lint
from whet.workflow.budgets import Budgets
from whet.workflow.noise import Noise

MOST = 20
"""The findings that are judged. Each one reads the lessons of the record."""


@dataclass(frozen=True, kw_only=True)
class Wait:
    """The reason to propose nothing for now. It ends at `until`, or with the event that `ends` names."""

    why: str
    until: datetime | None = None
    ends: str = ""


@dataclass(frozen=True, kw_only=True)
class DeferredFinding:
    """A finding that waits."""

    finding: Finding
    wait: Wait


@dataclass(frozen=True, kw_only=True)
class Deferred:
    """`service` is why the service proposes nothing at all by itself; None if it may, or if no service runs here.

    `unjudged` counts the findings, ranked below the others, that were not judged.
    """

    service: Wait | None
    findings: tuple[DeferredFinding, ...]
    unjudged: int


def deferred(project: Project) -> Deferred:
    """Return what waits. Judges by the rules of the next cycle, and runs nothing."""
    ledger, at = project.ledger, now()
    beat = last_beat(project.state)
    serving = beat is not None and beat.alive
    asked = Noise(ledger, project.policy.service).asked() if serving else None
    entry = ledger.latest("Findings")
    ranked = entry.read(tuple[Finding, ...]) if entry else ()
    handled = _open_signatures(project) | _mended_since(project, entry.at) if entry else frozenset()
    findings = [finding for finding in ranked if finding.signature not in handled]
    waits = _waits(project, findings[:MOST], asked, at)
    return Deferred(
        service=_service_wait(asked, project.policy.service, at) if asked else None,
        findings=tuple(DeferredFinding(finding=finding, wait=wait) for finding, wait in waits),
        unjudged=max(0, len(findings) - MOST),
    )


def _open_signatures(project: Project) -> frozenset[str]:
    """Return the signatures of the open proposals: their findings are at work, or wait for a person."""
    made = (project.ledger.latest("Proposal", subject=proposal) for proposal in open_proposals(project.ledger))
    return frozenset(entry.read(Proposal).signature for entry in made if entry)


def _mended_since(project: Project, looked_at: datetime) -> frozenset[str]:
    lessons = (entry.read(Lesson) for entry in project.ledger.entries(kind="Lesson", since=looked_at))
    return frozenset(lesson.signature for lesson in lessons if lesson.ending.worked)


def _waits(
    project: Project, findings: Iterable[Finding], asked: Asked | None, at: datetime
) -> Iterable[tuple[Finding, Wait]]:
    for finding in findings:
        wait = _lint_wait(asked, project.policy.service, at) if asked and finding.kind == FindingKind.LINT else None
        if wait := wait or _budget_wait(project.budgets, finding.signature, at):
            yield finding, wait


def _service_wait(asked: Asked, policy: ServicePolicy, at: datetime) -> Wait | None:
    answer = may_ask(asked, policy, at)
    if not isinstance(answer, Refuse):
        return None
    if answer.code == "dry_run":
        return Wait(why=answer.reason, until=(asked.began_at or at) + timedelta(days=policy.dry_run_days))
    ends = {"nobody_answers": "a person answers a question or runs `whet run`", "too_many_open": "one of them ends"}
    return Wait(why=answer.reason, ends=ends[answer.code])


def _lint_wait(asked: Asked, policy: ServicePolicy, at: datetime) -> Wait | None:
    answer = may_ask_about_lint(asked, policy, at)
    if not isinstance(answer, Refuse) or asked.last_lint_at is None:
        return None
    return Wait(why=answer.reason, until=asked.last_lint_at + timedelta(days=policy.lint_days))


def _budget_wait(budgets: Budgets, signature: str, at: datetime) -> Wait | None:
    """Return the wait that the budgets impose on a signature: spent proposals, spent attempts or the cool-down."""
    why = budgets.why_not(signature)
    if not why:
        return None
    if until := budgets.renews_at(Resource.PROPOSALS):
        return Wait(why=why, until=until)
    attempts = budgets.use(budgets.counted(), Resource.ATTEMPTS, signature)
    if attempts.total >= budgets.granted(Resource.ATTEMPTS):
        return Wait(why=why, ends="whet.toml grants more (budget.attempts_per_signature)")
    last = budgets.last_attempt_at(signature)
    cools_until = last + timedelta(seconds=budgets.policy.cooldown_seconds) if last else None
    if cools_until and cools_until > at:
        return Wait(why=why, until=cools_until)
    return Wait(why=why, ends="the attempt that runs now has ended")
