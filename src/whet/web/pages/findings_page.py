"""The findings: what the last cycle found, how often each was attempted, and how proposals ended day by day."""

from collections import Counter
from dataclasses import dataclass
from datetime import datetime, timedelta

from whet.app.budget import BudgetStatus, budget_statuses
from whet.app.project import Project
from whet.domain.clock import now
from whet.domain.finding import Finding
from whet.domain.lesson import Ending, Lesson
from whet.domain.reservation import Resource
from whet.web.pages.figures import plots

_DAYS = 90
_MOST = 200
_NAMES = ("mended", "rolled back", "given up")


@dataclass(frozen=True)
class FindingRow:
    """A finding with the attempts that were made on it, the last end and the time until which it rests."""

    finding: Finding
    proposals: tuple[str, ...]
    last: Lesson | None
    cools_until: datetime | None


@dataclass(frozen=True, kw_only=True)
class FindingsPage:
    """The findings of the last cycle, and a plot of the ends of the last 90 days."""

    rows: tuple[FindingRow, ...]
    total: int
    looked_at: datetime | None
    ended: int
    plot: plots.Plot
    now: datetime


def findings_page(project: Project) -> FindingsPage:
    """Return the findings of the last cycle, ranked as the cycle ranked them."""
    ledger, at = project.ledger, now()
    entry = ledger.latest("Findings")
    findings = entry.read(tuple[Finding, ...]) if entry else ()
    lessons = [row.read(Lesson) for row in ledger.entries(kind="Lesson", since=at - timedelta(days=_DAYS))]
    rests = {status.signature: status for status in budget_statuses(project) if status.budget is Resource.ATTEMPTS}
    return FindingsPage(
        rows=tuple(_row(finding, lessons, rests) for finding in findings[:_MOST]),
        total=len(findings),
        looked_at=entry.at if entry else None,
        ended=sum(1 for lesson in lessons if _end(lesson)),
        plot=ends_per_day(lessons, at),
        now=at,
    )


def _row(finding: Finding, lessons: list[Lesson], rests: dict[str, BudgetStatus]) -> FindingRow:
    about = [lesson for lesson in lessons if lesson.signature == finding.signature]
    rest = rests.get(finding.signature)
    proposals = tuple(dict.fromkeys(lesson.proposal for lesson in about))
    return FindingRow(finding, proposals, about[-1] if about else None, rest.cools_until if rest else None)


def ends_per_day(lessons: list[Lesson], at: datetime) -> plots.Plot:
    """Plot how proposals ended on each of the last 90 days."""
    days = [f"{at - timedelta(days=back):%Y-%m-%d}" for back in reversed(range(_DAYS))]
    counted = Counter((f"{lesson.learned_at:%Y-%m-%d}", _end(lesson)) for lesson in lessons if _end(lesson))
    return plots.stacked_days(days, [(name, [counted[day, name] for day in days]) for name in _NAMES])


def _end(lesson: Lesson) -> str:
    if lesson.ending.worked:
        return "mended"
    if lesson.ending is Ending.NOTHING:
        return ""
    return "rolled back" if lesson.ending is Ending.ROLLED_BACK else "given up"
