"""A request for a cycle, recorded by any process and answered by the service."""

from dataclasses import dataclass
from datetime import datetime

WEBHOOK = "webhook"
"""The client of requests that a forge sends. They are not a person's."""


@dataclass(frozen=True, kw_only=True)
class CycleRequest:
    """A person's or a program's wish that whet looks now. `via` is the client; `top` 0 means what the policy says."""

    id: str
    reason: str
    actor: str
    via: str
    at: datetime
    top: int = 0
    finding: str = ""
