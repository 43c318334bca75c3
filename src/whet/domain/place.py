from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class Place:
    """A suspicious line, from 0 (not at all) to 1, and why."""

    path: str
    line: int
    function: str
    suspicion: float
    why: str
