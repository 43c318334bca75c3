from dataclasses import dataclass, field
from enum import StrEnum


class State(StrEnum):
    """`hold` asks for more calls. The other three end the trial, and only `promote` lets the candidate stay."""

    HOLD = "hold"
    PROMOTE = "promote"
    ROLLBACK = "rollback"
    INCONCLUSIVE = "inconclusive"


@dataclass(frozen=True)
class Decision:
    """What a trial showed so far. `why` is a sentence; `figures` are the numbers behind it, evidence as natural logs."""

    state: State
    why: str
    figures: dict[str, float] = field(default_factory=dict)
