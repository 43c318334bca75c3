"""A question that an agent puts to people, and the reply of a person."""

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, kw_only=True)
class AgentInquiry:
    """A question in the words of a program. `proposal` is the one that it is about; empty if it is about none.

    `by` is the program's own name for itself. After `expires_at` it no longer waits for people.
    """

    id: str
    text: str
    by: str
    proposal: str
    at: datetime
    expires_at: datetime


@dataclass(frozen=True, kw_only=True)
class InquiryReply:
    """A person's answer to an inquiry. It is advice to the program that asked: it approves and permits nothing.

    `by` is the user of the process that recorded it, `via` the client: `cli` or `web`.
    """

    inquiry: str
    text: str
    by: str
    via: str
    at: datetime
