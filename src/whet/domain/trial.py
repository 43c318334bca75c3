from dataclasses import dataclass, field
from datetime import datetime

from whet.domain.decision import State
from whet.domain.version import Mode


@dataclass(frozen=True, kw_only=True)
class Trial:
    """A candidate beside the running version, on a share of its real calls or, in a shadow, on their inputs, and how that
    ended."""

    proposal: str
    deployment: str
    modules: tuple[str, ...]
    share: float
    state: State
    why: str
    began: datetime
    ended: datetime
    figures: dict[str, float] = field(default_factory=dict)
    mode: Mode = Mode.CANARY

    @property
    def promoted(self) -> bool:
        return self.state is State.PROMOTE


@dataclass(frozen=True, kw_only=True)
class Watch:
    """What the calls since a deployment showed, against those before it."""

    deployment: str
    state: State
    why: str
    began: datetime
    ended: datetime
    figures: dict[str, float] = field(default_factory=dict)

    @property
    def hurts(self) -> bool:
        return self.state is State.ROLLBACK
