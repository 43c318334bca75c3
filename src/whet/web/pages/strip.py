"""The strip on top of every page: the switch, the record, the work in progress, the budget, the last look."""

from dataclasses import dataclass
from datetime import datetime

from whet.app.project import Project
from whet.cycle import ORDER
from whet.domain.clock import now
from whet.domain.reservation import Resource
from whet.errors import Stopped
from whet.ledger.entry import Entry

_AT_WORK_SECONDS = 600
"""A phase counts as running if the record has an entry that is younger than this and did not end its cycle."""
_ENDS = (
    "Lesson",
    "Question",
    "Approval",
    "Vote",
    "Look",
    "Policy",
    "EnrolmentQuestion",
    "Enrolment",
    "Objection",
    "AgentInquiry",
    "Invitation",
    "InvitedPasskey",
    "InquiryReply",
)


@dataclass(frozen=True)
class PageStrip:
    """The state at the top of a page. `phase` is the one at work, or empty; `budget_left` a share of the cycles today."""

    repository: str
    branch: str
    stopped: str
    head: int
    phase: str
    phases: tuple[str, ...]
    cycles_left: str
    cycles_granted: str
    last_looked_at: datetime | None
    now: datetime


def strip_of(project: Project) -> PageStrip:
    """Return the strip. Reads a few rows of the record and runs nothing."""
    ledger, budgets = project.ledger, project.budgets
    head, found = ledger.head(), ledger.latest("Findings")
    use = budgets.use(budgets.counted(), Resource.CYCLES)
    granted = budgets.granted(Resource.CYCLES)
    latest = ledger.newest(1)
    return PageStrip(
        repository=project.git.root.name,
        branch=_branch(project),
        stopped=_stopped(project),
        head=head.seq,
        phase=_at_work(latest[0], now()) if latest else "",
        phases=ORDER,
        cycles_left=Resource.CYCLES.shown(max(0, granted - use.total)),
        cycles_granted=Resource.CYCLES.shown(granted),
        last_looked_at=found.at if found else None,
        now=now(),
    )


def _at_work(last: Entry, at: datetime) -> str:
    """Return the phase that follows from the last entry of the record; empty if nothing seems to run."""
    if last.kind in _ENDS or (at - last.at).total_seconds() > _AT_WORK_SECONDS:
        return ""
    return last.phase if last.phase in ORDER else ""


def _branch(project: Project) -> str:
    return project.policy.target.branch or (project.git.branch() or "HEAD").removeprefix("refs/heads/")


def _stopped(project: Project) -> str:
    try:
        project.refuse_unless_permitted()
    except Stopped as problem:
        return problem.message
    return ""
