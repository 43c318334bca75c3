"""Record a person's reply to the question of an agent."""

from whet.app.agent_notes.ask import InquiryState, find_inquiry, inquiry_state, reply_key
from whet.app.agent_notes.bounded import bounded
from whet.app.cycles.loop import actor
from whet.app.project import Project
from whet.domain.agent_inquiry import InquiryReply
from whet.domain.clock import now
from whet.domain.objection import notes_of
from whet.errors import Refused

MOST_CHARACTERS = 5_000


def reply_to(project: Project, start: str, text: str, via: str) -> InquiryState:
    """Record the reply of the user of this process to a question, by the beginning of its id.

    Refuse a second reply: the agent may have acted on the first. A question that has expired can still be answered.
    """
    text = bounded(text, "the reply", MOST_CHARACTERS)
    asked = find_inquiry(project.ledger, start)
    reply = InquiryReply(inquiry=asked.id, text=text, by=actor(), via=via, at=now())
    subject = notes_of(asked.proposal) if asked.proposal else asked.id
    entry = project.ledger.append("observe", reply, subject=subject, key=reply_key(asked.id), actor=reply.by)
    recorded = entry.read(InquiryReply)
    if recorded.at != reply.at:
        raise Refused(f"{recorded.by} has answered {asked.id} already: {recorded.text}")
    return inquiry_state(project.ledger, asked.id)
