"""A signal: one observation of a source."""

from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, ClassVar, Protocol

from whet.domain.canonical import to_plain


class Payload(Protocol):
    """The facts of one kind of signal: a frozen dataclass that names its kind (`whet.domain.payload` has the built-in ones)."""

    kind: ClassVar[str]


@dataclass(frozen=True, kw_only=True)
class Signal:
    """One observation, made by a source.

    `subject` is the thing observed (a test id, a lint rule, a tool). `kind` says which payload the signal carries and which
    analyzer reads it. `payload` is that dataclass as plain data, because a signal is stored in the ledger.
    """

    source: str
    subject: str
    kind: str
    at: datetime
    value: float | None = None
    payload: dict[str, Any] = field(default_factory=dict)

    @classmethod
    def of(cls, source: str, subject: str, payload: Payload, at: datetime, value: float | None = None) -> "Signal":
        """Return a signal of the payload's kind."""
        return cls(source=source, subject=subject, kind=payload.kind, at=at, value=value, payload=to_plain(payload))
