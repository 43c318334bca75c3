"""Questions that agents put to people: record one, and read them with their replies."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta

from whet.app.agent_notes.bounded import bounded
from whet.app.project import Project
from whet.app.views.proposal_view import resolve
from whet.domain.agent_inquiry import AgentInquiry, InquiryReply
from whet.domain.canonical import digest
from whet.domain.clock import now
from whet.domain.objection import notes_of
from whet.errors import NotOnRecord, Refused, UsageError
from whet.ledger.ledger import Ledger

MOST_OPEN = 10
MOST_A_DAY = 50
LASTS = timedelta(days=7)
_A_DAY = timedelta(days=1)


@dataclass(frozen=True, kw_only=True)
class InquiryState:
    """A question of an agent and its state: `open`, `answered` or `expired`. `reply` is None while there is none."""

    id: str
    state: str
    text: str
    by: str
    proposal: str
    at: datetime
    expires_at: datetime
    reply: InquiryReply | None


def ask_people(project: Project, text: str, by: str, proposal: str = "") -> InquiryState:
    """Record a question to people, and return it with the handle `id`. The same question of the same program is recorded
    once, so that asking again reads its state.

    Refuse more questions than people can answer.
    """
    ledger, at = project.ledger, now()
    text = bounded(text, "the question")
    about = resolve(ledger, proposal) if proposal else ""
    identity = f"i-{digest([about, by, text])[:8]}"
    if recorded := ledger.find(_key(identity)):
        return _state(ledger, recorded.read(AgentInquiry))
    _refuse_too_many(ledger, at)
    inquiry = AgentInquiry(id=identity, text=text, by=by, proposal=about, at=at, expires_at=at + LASTS)
    subject = notes_of(about) if about else identity
    entry = ledger.append("observe", inquiry, subject=subject, key=_key(identity), actor=by)
    return _state(ledger, entry.read(AgentInquiry))


def inquiry_state(ledger: Ledger, handle: str) -> InquiryState:
    """Return a question by its whole id. Raise NotOnRecord if there is none."""
    recorded = ledger.find(_key(handle))
    if recorded is None:
        raise NotOnRecord(f"no agent asked {handle!r}", "`whet reply --list` shows the questions")
    return _state(ledger, recorded.read(AgentInquiry))


def find_inquiry(ledger: Ledger, start: str) -> InquiryState:
    """Return the one question whose id begins so. Raise NotOnRecord for none, UsageError for several."""
    matching = [each for each in list_inquiries(ledger) if each.id.startswith(start)]
    if not matching:
        raise NotOnRecord(f"no agent asked {start!r}", "`whet reply --list` shows the questions")
    if len(matching) > 1:
        raise UsageError(f"{start!r} could be {', '.join(each.id for each in matching[:5])}", "give more of the id")
    return matching[0]


def list_inquiries(ledger: Ledger) -> list[InquiryState]:
    """Return every question on record, oldest first."""
    return _recorded_states(ledger, None)


def open_inquiries(ledger: Ledger) -> list[InquiryState]:
    """Return the questions that wait for people, oldest first."""
    return [each for each in _recorded_states(ledger, now() - LASTS) if each.state == "open"]


def with_replies(inquiries: Iterable[AgentInquiry], replies: Iterable[InquiryReply]) -> list[InquiryState]:
    """Return the state of each question, given the replies to any of them."""
    answers = {reply.inquiry: reply for reply in replies}
    return [_with_reply(inquiry, answers.get(inquiry.id)) for inquiry in inquiries]


def _refuse_too_many(ledger: Ledger, at: datetime) -> None:
    waiting = len(open_inquiries(ledger))
    if waiting >= MOST_OPEN:
        raise Refused(f"{waiting} questions wait for people already", "wait for a reply before you ask more")
    today = len(ledger.entries(kind="AgentInquiry", since=at - _A_DAY))
    if today >= MOST_A_DAY:
        raise Refused(f"agents have asked {today} questions in the last 24 hours", "go on without a reply")


def _recorded_states(ledger: Ledger, since: datetime | None) -> list[InquiryState]:
    asked = [entry.read(AgentInquiry) for entry in ledger.entries(kind="AgentInquiry", since=since)]
    replies = [entry.read(InquiryReply) for entry in ledger.entries(kind="InquiryReply", since=since)] if asked else []
    return with_replies(asked, replies)


def _state(ledger: Ledger, inquiry: AgentInquiry) -> InquiryState:
    entry = ledger.find(reply_key(inquiry.id))
    return _with_reply(inquiry, entry.read(InquiryReply) if entry else None)


def _with_reply(inquiry: AgentInquiry, reply: InquiryReply | None) -> InquiryState:
    state = "answered" if reply else "open" if now() < inquiry.expires_at else "expired"
    return InquiryState(
        id=inquiry.id, state=state, text=inquiry.text, by=inquiry.by, proposal=inquiry.proposal, at=inquiry.at,
        expires_at=inquiry.expires_at, reply=reply,
    )  # fmt: skip


def reply_key(identity: str) -> str:
    """Return the key of the reply to a question: there is at most one."""
    return f"inquiry/{identity}/reply"


def _key(identity: str) -> str:
    return f"inquiry/{identity}"
