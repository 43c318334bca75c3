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
    """The reason a cycle starts, and its limits.

    `top` is the number of proposals to carry. `finding` limits the cycle to one finding, by its id. `tests` limits it to
    these failing tests, taken together as one finding; `engines` limits who may propose (empty: all of them). `requests`
    are the recorded requests that this cycle answers.
    """

    id: str
    kind: TriggerKind
    reason: str
    actor: str
    at: datetime
    top: int = 1
    finding: str = ""
    tests: tuple[str, ...] = ()
    engines: tuple[str, ...] = ()
    requests: tuple[str, ...] = ()

    def takes(self, engine: str) -> bool:
        return not self.engines or engine in self.engines
