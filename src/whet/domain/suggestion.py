"""A suggestion: a request for an improvement."""

from dataclasses import dataclass
from datetime import datetime
from typing import ClassVar


@dataclass(frozen=True, kw_only=True)
class Suggestion:
    """An improvement that a person, an agent or another system asks for.

    `case` is a Python expression over the names in the module `where`; it must become true, or raise the exception
    named in `raises`. `patch` is the author's own change, as a unified diff. `by` is the author's user name, `email`
    their address as git knows it; neither counts as an approver of the change.
    `urgency` is `low`, `normal` or `high`. `intent` is the name of the suggestion in the system that sent it.
    """

    kind: ClassVar[str] = "suggestion"
    id: str
    text: str
    where: str
    by: str
    at: datetime
    case: str = ""
    raises: str = ""
    patch: str = ""
    email: str = ""
    urgency: str = "normal"
    intent: str = ""


@dataclass(frozen=True, kw_only=True)
class DroppedSuggestion:
    """The withdrawal of a suggestion: who dropped it, and why."""

    suggestion: str
    by: str
    why: str
    at: datetime
