"""A commit of the target's own history, as the source `git` remembers it."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum


class CommitKind(StrEnum):
    """The purpose of a commit, as far as its message says."""

    CHANGE = "change"
    FIX = "fix"
    REVERT = "revert"
    WIDE = "wide"  # it changes so many files that it says little about each of them


@dataclass(frozen=True, kw_only=True)
class PastCommit:
    """A commit with the Python files that it changed; `functions` of a fix are `path::name`. A wide one has neither."""

    id: str
    at: datetime
    subject: str
    kind: CommitKind
    paths: tuple[str, ...] = ()
    functions: tuple[str, ...] = ()
