"""A signal: one observation of a source."""

from dataclasses import dataclass, field
from datetime import datetime
from typing import Any


@dataclass(frozen=True, kw_only=True)
class Signal:
    """One observation, made by a source in `phases/observe`.

    `subject` is the test id, path or tool that was observed, and `kind` what happened to it. `payload` holds further
    data of the source; `phases/diagnose` reads it according to `kind`.
    """

    source: str
    subject: str
    kind: str
    at: datetime
    value: float | None = None
    payload: dict[str, Any] = field(default_factory=dict)
