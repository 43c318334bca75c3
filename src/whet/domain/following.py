"""The end of following a change after it reached the target branch."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum


class FollowEnd(StrEnum):
    """`confirmed`: looked at again and the failure did not recur. `kept`: the time is over and nothing was seen.

    `does_not_hold`: the change is rolled back. `came_back`: the failure recurs because of later commits, so the change
    stays. `needs_person`: whet could not roll the change back. `suspected` is no end: reports or a probe turned bad since,
    which proves nothing, so a person is told and the change is followed on.
    """

    CONFIRMED = "confirmed"
    KEPT = "kept"
    DOES_NOT_HOLD = "does_not_hold"
    CAME_BACK = "came_back"
    NEEDS_PERSON = "needs_person"
    SUSPECTED = "suspected"

    @property
    def is_over(self) -> bool:
        """True if the change is not followed any more, and nothing is left to carry out."""
        return self not in (FollowEnd.DOES_NOT_HOLD, FollowEnd.SUSPECTED)


@dataclass(frozen=True, kw_only=True)
class Following:
    """The decision about a change that was followed, and the facts that led to it."""

    deployment: str
    proposal: str
    end: FollowEnd
    why: str
    began_at: datetime
    at: datetime


@dataclass(frozen=True, kw_only=True)
class Reached:
    """The time at which a change, deployed to a branch of its own, was first seen on the target branch."""

    deployment: str
    proposal: str
    commit: str
    at: datetime
