"""Find what people should be told now, from the record and the kill switch."""

from collections.abc import Iterator
from datetime import datetime, timedelta

from whet.app.agent_notes.ask import open_inquiries
from whet.app.project import Project
from whet.app.service.due import next_look_at
from whet.app.service.heartbeat import last_beat
from whet.app.views.proposal_view import ProposalView, view_proposal
from whet.domain.approval import Answer, Approval, Gate, Question, Tier
from whet.domain.deployment import Rollback
from whet.domain.following import FollowEnd, Following
from whet.domain.lesson import Lesson
from whet.domain.notice import Notice, NoticeEvent
from whet.domain.plural import count
from whet.domain.sanitize import one_line
from whet.errors import Corrupt, Stopped, WhetError
from whet.ledger.entry import GENESIS, Head
from whet.ledger.ledger import Ledger

_LONGEST_GATE = timedelta(days=60)
_START = Head(0, GENESIS)
_ROWS = 2_000
_WHOLE_CHECK = timedelta(hours=1)
_SOON = timedelta(hours=24)
_MISSED_LOOKS = 3


class ChainCheck:
    """Checks a ledger again and again at a cost that does not grow with it.

    Each time it checks the rows since the last time and the next few thousand of the older ones, in turn; once an hour, and
    while the ledger is short, all of them.
    """

    def __init__(self) -> None:
        self._checked = self._in_turn = _START
        self._whole_at: datetime | None = None

    def refuse_if_damaged(self, ledger: Ledger, at: datetime) -> None:
        head = ledger.head()
        if head.seq <= _ROWS or self._whole_at is None or at - self._whole_at >= _WHOLE_CHECK:
            ledger.refuse_if_damaged()
            self._checked, self._whole_at = head, at
            return
        self._checked = ledger.refuse_if_damaged_since(self._checked)
        reached = ledger.refuse_if_edited(self._in_turn, _ROWS)
        self._in_turn = _START if reached.seq >= self._checked.seq else reached


def due_notices(
    project: Project, since: datetime, at: datetime, link: str = "", chain: ChainCheck | None = None
) -> list[Notice]:
    """Return every notice that is due at a time, in the order of the record. `since` is when notifications began: what
    was taken back before is not told. `link` is the address of the pages. `chain` remembers what was checked before."""
    notices: list[Notice] = []
    try:
        (chain or ChainCheck()).refuse_if_damaged(project.ledger, at)
        notices += _at_gates(project, at, link)
        notices += _inquiries(project, link)
        notices += _rolled_back(project, since)
        notices += _suspected(project, since)
        notices += _applied(project, since, link)
    except Corrupt as problem:
        notices.append(_plain(NoticeEvent.DAMAGED, "record", "the record is damaged", problem))
    try:
        project.refuse_unless_permitted()
    except Stopped as problem:
        notices.append(_plain(NoticeEvent.STOPPED, "switch", "whet was stopped", problem))
    except WhetError:
        pass  # the command that is refused reports any other reason
    else:
        notices += _idle(project, at)
    return notices


def digest_notice(project: Project, since: datetime, at: datetime) -> Notice | None:
    """Return the digest of the proposals that ended since a time, grouped by their ending; None if none ended."""
    endings: dict[str, list[str]] = {}
    for entry in project.ledger.entries(kind="Lesson", since=since):
        lesson = entry.read(Lesson)
        endings.setdefault(lesson.ending.value, []).append(f"{lesson.proposal} {one_line(lesson.summary)}".rstrip())
    if not endings:
        return None
    lines = [
        f"{ending}: {len(rows)}\n" + "\n".join(f"  {row}" for row in rows[:20]) for ending, rows in endings.items()
    ]
    total = sum(map(len, endings.values()))
    return Notice(
        key=f"digest/{at.date()}",
        event=NoticeEvent.DIGEST,
        subject="digest",
        title=f"{project.git.root.name}: {count(total, 'proposal')} ended",
        text="\n".join(lines),
    )


def _at_gates(project: Project, at: datetime, link: str) -> Iterator[Notice]:
    for entry in project.ledger.entries(kind="Question", since=at - _LONGEST_GATE):
        question = entry.read(Question)
        if question.expires_at <= at:
            continue
        view = view_proposal(project.ledger, question.proposal)
        if view.open_question != question:
            continue
        yield _asks(project, view, question, link, NoticeEvent.GATE)
        if question.expires_at - at <= _SOON < question.expires_at - question.asked_at:
            yield _asks(project, view, question, link, NoticeEvent.EXPIRES)


def _asks(project: Project, view: ProposalView, question: Question, link: str, event: NoticeEvent) -> Notice:
    verdict = f"verdict {view.evidence.verdict.value}" if view.evidence else "no evidence yet"
    words = "asks for a person" if event is NoticeEvent.GATE else "expires within 24 hours"
    reasons = "; ".join(map(one_line, question.reasons))
    lines = [
        one_line(view.proposal.title),
        f"{verdict}, tier {question.tier.value}" + (f": {reasons}" if reasons else ""),
        f"open until {question.expires_at:%Y-%m-%d %H:%M} UTC",
        f"{link}/p/{view.proposal.id}" if link else f"whet show {view.proposal.id}",
    ]
    return Notice(
        key=f"{event.value}/{view.proposal.id}/{question.gate.value}/{question.digest}",
        event=event,
        subject=view.proposal.id,
        title=f"{project.git.root.name}: the {question.gate.value} gate of {view.proposal.id} {words}",
        text="\n".join(lines),
    )


def _inquiries(project: Project, link: str) -> Iterator[Notice]:
    """Yield a notice for every open question of an agent."""
    for inquiry in open_inquiries(project.ledger):
        address = f"{link}/inquiries/{inquiry.id}" if link else f'whet reply {inquiry.id} "..."'
        yield Notice(
            key=f"{NoticeEvent.ASKED.value}/{inquiry.id}",
            event=NoticeEvent.ASKED,
            subject=inquiry.id,
            title=f"{project.git.root.name}: {one_line(inquiry.by)} asks a person",
            text=f"{one_line(inquiry.text)}\n{address}",
        )


def _rolled_back(project: Project, since: datetime) -> Iterator[Notice]:
    for entry in project.ledger.entries(kind="Rollback", since=since):
        rollback = entry.read(Rollback)
        yield Notice(
            key=f"{NoticeEvent.ROLLED_BACK.value}/{rollback.deployment}",
            event=NoticeEvent.ROLLED_BACK,
            subject=rollback.proposal,
            title=f"{project.git.root.name}: {rollback.proposal} {_taken(rollback)}",
            text=one_line(rollback.reason),
        )


def _suspected(project: Project, since: datetime) -> Iterator[Notice]:
    """Yield a notice for every followed change since whose deployment something else turned bad: a person has to judge."""
    for entry in project.ledger.entries(kind="Following", since=since):
        following = entry.read(Following)
        if following.end in (FollowEnd.SUSPECTED, FollowEnd.NEEDS_PERSON):
            yield Notice(
                key=f"{NoticeEvent.SUSPECTED.value}/{following.deployment}/{following.end.value}",
                event=NoticeEvent.SUSPECTED,
                subject=following.proposal,
                title=f"{project.git.root.name}: look at {following.proposal}, which was deployed",
                text=f"{one_line(following.why)}\n`whet rollback {following.proposal}` takes it back",
            )


def _taken(rollback: Rollback) -> str:
    return "is to be taken back: merge its pull request" if rollback.offered else "was taken back"


def _applied(project: Project, since: datetime, link: str) -> Iterator[Notice]:
    """Yield a notice for every change that the policy let through at tier `notify`: no person was asked."""
    for entry in project.ledger.entries(kind="Approval", since=since):
        approval = entry.read(Approval)
        if (approval.tier, approval.answer) != (Tier.NOTIFY, Answer.APPROVED) or approval.gate is Gate.PLAN:
            continue
        view = view_proposal(project.ledger, approval.proposal)
        address = f"{link}/p/{approval.proposal}" if link else f"whet show {approval.proposal}"
        yield Notice(
            key=f"{NoticeEvent.APPLIED.value}/{approval.proposal}/{approval.gate.value}/{approval.digest}",
            event=NoticeEvent.APPLIED,
            subject=approval.proposal,
            title=f"{project.git.root.name}: {approval.proposal} passes the {approval.gate.value} gate without a person",
            text=f"{one_line(view.proposal.title)}\n{address}",
        )


def _idle(project: Project, at: datetime) -> Iterator[Notice]:
    """Yield a notice if the service has not finished a look for three of its intervals. A repository that no service
    has looked after is not late."""
    beat, last = last_beat(project.state), _last_success(project)
    if beat is None:
        return
    deadline: datetime | None = last or beat.started_at
    for _ in range(_MISSED_LOOKS):
        deadline = next_look_at(deadline, project.policy.service, "") if deadline else None
    if deadline is None or at <= deadline:
        return
    begun = f"the last one was at {last:%Y-%m-%d %H:%M} UTC" if last else "there was none"
    yield Notice(
        key=f"{NoticeEvent.IDLE.value}/{(last or beat.started_at).isoformat()}",
        event=NoticeEvent.IDLE,
        subject="service",
        title=f"{project.git.root.name}: whet has not looked for a while",
        text=f"No look was finished for three intervals of the service; {begun}.\n`whet status` says why.",
    )


def _last_success(project: Project) -> datetime | None:
    try:
        found = project.ledger.latest("Findings")
    except WhetError:
        return None
    return found.at if found else None


def _plain(event: NoticeEvent, subject: str, words: str, problem: WhetError) -> Notice:
    text = "\n".join(one_line(line) for line in (problem.message, problem.remedy) if line)
    return Notice(key=f"{event.value}/{subject}", event=event, subject=subject, title=f"whet: {words}", text=text)
