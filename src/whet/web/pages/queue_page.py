"""The queue: what waits for a person, what is at work or on trial, what ended lately."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from whet.app.agent_notes.ask import InquiryState, open_inquiries
from whet.app.project import Project
from whet.app.views.proposal_view import ProposalView, view_proposal
from whet.app.views.trial_calls import TrialCalls, trial_calls
from whet.domain.approval import Question
from whet.domain.build import Build
from whet.domain.clock import now
from whet.domain.evidence import Evidence
from whet.domain.lesson import Lesson
from whet.domain.proposal import Proposal
from whet.domain.statement import field_of
from whet.domain.trial import TrialBegun
from whet.domain.verdict import Verdict
from whet.ledger.ledger import Ledger

_MOST = 100
_LATELY = timedelta(days=1)


@dataclass(frozen=True)
class QueueRow:
    """A proposal in the queue."""

    id: str
    title: str
    verdict: str
    status: str
    question: Question | None
    answered: tuple[str, ...]
    objections: int
    path: str
    proof: str
    since: datetime


@dataclass(frozen=True)
class TrialRow:
    """A trial without a result. `calls` is None if they cannot be counted; `abandoned` if its time is over."""

    id: str
    title: str
    begun: TrialBegun
    calls: TrialCalls | None
    abandoned: bool


@dataclass(frozen=True)
class EndedRow:
    """A proposal that ended, with its last lesson."""

    title: str
    lesson: Lesson


@dataclass(frozen=True, kw_only=True)
class QueuePage:
    """The rows of the queue. `more` counts open proposals that are not shown."""

    waiting: tuple[QueueRow, ...]
    inquiries: tuple[InquiryState, ...]
    trials: tuple[TrialRow, ...]
    working: tuple[QueueRow, ...]
    ended: tuple[EndedRow, ...]
    more: int
    proposals: int
    now: datetime


def queue_page(project: Project) -> QueuePage:
    """Return the queue: open gates by tier and by the time at which they close."""
    ledger, at = project.ledger, now()
    everything = ledger.subjects("Proposal")
    finished = set(ledger.subjects("Lesson"))
    unfinished = [identity for identity in dict.fromkeys(everything) if identity not in finished]
    views = [view_proposal(ledger, identity) for identity in reversed(unfinished[-_MOST:])]
    trials = {view.proposal.id: view.open_trial for view in views if view.open_trial and not view.open_question}
    rows = [_row(view) for view in views]
    waiting = [row for row in rows if row.question]
    lessons = [entry.read(Lesson) for entry in ledger.entries(kind="Lesson", since=at - _LATELY)]
    return QueuePage(
        waiting=tuple(sorted(waiting, key=_urgency)),
        inquiries=tuple(open_inquiries(ledger)),
        trials=tuple(_trial_row(project, row, begun, at) for row in rows if (begun := trials.get(row.id))),
        working=tuple(row for row in rows if not row.question and row.id not in trials),
        ended=tuple(_ended(ledger, lessons)),
        more=max(0, len(unfinished) - _MOST),
        proposals=len(everything),
        now=at,
    )


def _trial_row(project: Project, row: QueueRow, begun: TrialBegun, at: datetime) -> TrialRow:
    return TrialRow(row.id, row.title, begun, trial_calls(project, begun), abandoned=at >= begun.until)


def _ended(ledger: Ledger, lessons: Sequence[Lesson]) -> list[EndedRow]:
    """Return the proposals that these lessons are about, each once with its last lesson, the newest first."""
    last = {lesson.proposal: lesson for lesson in lessons if lesson.proposal.startswith("p-")}
    newest = sorted(last.values(), key=lambda lesson: lesson.learned_at, reverse=True)[:_MOST]
    return [EndedRow(_title(ledger, lesson.proposal), lesson) for lesson in newest]


def _title(ledger: Ledger, proposal: str) -> str:
    """Return the summary of the patch, else the title of the proposal, else its id."""
    built, made = ledger.latest("Build", subject=proposal), ledger.latest("Proposal", subject=proposal)
    patch = built.read(Build).patch if built else None
    if patch:
        return patch.summary
    return made.read(Proposal).title if made else proposal


def _proof(evidence: Evidence) -> str:
    """Return the proof in one clause: what it showed if it passed, else the first reason against it."""
    return "; ".join(evidence.scope.shown) if evidence.verdict is Verdict.PASSED else next(iter(evidence.reasons), "")


def _urgency(row: QueueRow) -> tuple[int, datetime]:
    return (-row.question.tier.rank, row.question.expires_at) if row.question else (0, row.since)


def _row(view: ProposalView) -> QueueRow:
    question, patch = view.open_question, view.built.patch if view.built else None
    votes = [vote for vote in view.votes if question and field_of(vote.statement, "question") == question.nonce]
    return QueueRow(
        id=view.proposal.id,
        title=patch.summary if patch else view.proposal.title,
        verdict=view.evidence.verdict.value if view.evidence else "",
        status=view.status.replace("_", " "),
        question=question,
        answered=tuple(dict.fromkeys(field_of(vote.statement, "who") for vote in votes)),
        objections=len(view.objections),
        path=", ".join(view.proposal.target),
        proof=_proof(view.evidence) if view.evidence else "",
        since=question.asked_at if question else view.proposal.created_at,
    )
