"""A suspicious line of source code."""

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class Place:
    """A line that may hold the cause of a finding. `suspicion` is between 0 and 1; `why` explains it."""

    path: str
    line: int
    function: str
    suspicion: float
    why: str
