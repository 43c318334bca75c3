"""The decision of a trial or a watch, as `whet.statistics` makes it."""

from dataclasses import dataclass, field
from enum import StrEnum


class State(StrEnum):
    """`hold` waits for more calls. The other three end the trial; the candidate stays only after `promote`."""

    HOLD = "hold"
    PROMOTE = "promote"
    ROLLBACK = "rollback"
    INCONCLUSIVE = "inconclusive"


@dataclass(frozen=True)
class Decision:
    """The state of a trial so far. `why` is a sentence, `figures` the numbers behind it (evidence as natural logs)."""

    state: State
    why: str
    figures: dict[str, float] = field(default_factory=dict)
