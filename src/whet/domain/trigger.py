"""The trigger of a cycle."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum


class TriggerKind(StrEnum):
    PERIODIC = "periodic"
    PATTERN = "pattern"
    HEALTH = "health"
    PUSH = "push"
    HUMAN = "human"


@dataclass(frozen=True, kw_only=True)
class Trigger:
    """The reason why a cycle starts. `top` is the number of proposals that the cycle may carry."""

    id: str
    kind: TriggerKind
    reason: str
    actor: str
    at: datetime
    top: int = 1
