"""The results of following a deployment on real calls: a trial before it is merged, a watch after it."""

from dataclasses import dataclass, field
from datetime import datetime

from whet.domain.decision import State
from whet.domain.version import Mode


@dataclass(frozen=True, kw_only=True)
class TrialBegun:
    """The start of a trial. At `until` every application goes back to the old version, also if whet has ended by then."""

    proposal: str
    deployment: str
    mode: Mode
    share: float
    at: datetime
    until: datetime


@dataclass(frozen=True, kw_only=True)
class Trial:
    """A finished trial of a candidate beside the running version. In a shadow trial the candidate only gets the inputs
    of real calls; otherwise it answers a share of them."""

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
    """A finished comparison of the calls after a deployment with those before it."""

    deployment: str
    state: State
    why: str
    began: datetime
    ended: datetime
    figures: dict[str, float] = field(default_factory=dict)

    @property
    def confirms(self) -> bool:
        return self.state is State.PROMOTE

    @property
    def hurts(self) -> bool:
        return self.state is State.ROLLBACK
