"""A lesson: how one proposal or cycle ended."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum


class Ending(StrEnum):
    """The end of a proposal or a cycle.

    `completed` left a branch, `merged` moved the target branch. `merged_unconfirmed` did too, and the calls since were too
    few to tell whether it is as good as what it replaced.
    """

    COMPLETED = "completed"
    MERGED = "merged"
    UNCONFIRMED = "merged_unconfirmed"
    NOTHING = "nothing_to_do"
    NOT_BUILT = "not_built"
    NOT_PROVEN = "not_proven"
    REFUSED = "refused"
    REJECTED = "rejected"
    WITHDRAWN = "withdrawn"
    EXPIRED = "expired"
    FAILED = "failed"
    ROLLED_BACK = "rolled_back"

    @property
    def worked(self) -> bool:
        return self in (Ending.COMPLETED, Ending.MERGED, Ending.UNCONFIRMED)


@dataclass(frozen=True, kw_only=True)
class Lesson:
    """The outcome of one proposal, kept so that a failed patch is not proposed again. Made by `phases/learn`."""

    proposal: str
    signature: str
    engine: str
    ending: Ending
    code: str
    summary: str
    base: str
    patch_digest: str
    learned_at: datetime
