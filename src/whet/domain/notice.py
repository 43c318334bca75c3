"""A notice to people, and the record of its delivery."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum


class NoticeEvent(StrEnum):
    """The events that people are told about at once."""

    GATE = "gate"
    EXPIRES = "expires"
    ASKED = "asked"  # an agent has a question to people
    ROLLED_BACK = "rolled_back"
    SUSPECTED = "suspected"  # a deployed change may be the cause of trouble
    DAMAGED = "damaged"
    STOPPED = "stopped"
    APPLIED = "applied"  # without a person, at tier `notify`
    IDLE = "idle"  # the service has not looked for long
    DIGEST = "digest"


URGENT = frozenset({NoticeEvent.ROLLED_BACK, NoticeEvent.DAMAGED})
"""Events that quiet hours do not delay."""


@dataclass(frozen=True, kw_only=True)
class Notice:
    """One thing that people are told once. `key` names the subject and the event."""

    key: str
    event: NoticeEvent
    subject: str
    title: str
    text: str


@dataclass(frozen=True, kw_only=True)
class Delivery:
    """The attempt to send a message about notices to one channel, whose address is redacted. `error` is empty if it
    was delivered."""

    channel: str
    notices: tuple[str, ...]
    title: str
    error: str
    at: datetime
