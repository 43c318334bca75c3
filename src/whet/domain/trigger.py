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
    """Why a cycle starts, and how many proposals it may carry."""

    id: str
    kind: TriggerKind
    reason: str
    actor: str
    at: datetime
    top: int = 1
