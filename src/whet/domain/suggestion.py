from dataclasses import dataclass
from datetime import datetime
from typing import ClassVar


@dataclass(frozen=True, kw_only=True)
class Suggestion:
    """What a person, an agent or another system wants improved, and why.

    `case` is an expression over the names of `where` that must be true; with `raises`, one that must raise that.
    `patch` is a change that its author thinks will do, as a unified diff.
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
