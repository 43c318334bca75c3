from dataclasses import dataclass, field
from datetime import datetime
from typing import Any


@dataclass(frozen=True, kw_only=True)
class Signal:
    """One observation.

    `subject` is what it is about (a test id, a path), `kind` what was seen there, `payload` whatever the source
    knows beyond that; diagnose reads the payload by kind.
    """

    source: str
    subject: str
    kind: str
    at: datetime
    value: float | None = None
    payload: dict[str, Any] = field(default_factory=dict)
