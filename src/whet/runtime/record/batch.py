"""What is to be written next: rows of kept calls, and the sums that every call is in."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    ToolKey = tuple[str, str]
    """Name and version."""

MOST_ROWS = 16_384
"""While nothing can be written, so many rows wait; then the oldest are given up. The sums wait for as long as it takes."""


class Sums:
    """Of one tool, version and arm in one minute."""

    __slots__ = ("buckets", "calls", "duration", "errors", "kept", "log_squares", "log_sum", "signatures", "timed")

    def __init__(self) -> None:
        self.calls = self.errors = self.kept = self.timed = self.duration = 0
        self.log_sum = self.log_squares = 0.0
        self.buckets: dict[int, int] = {}
        self.signatures: dict[str, int] = {}

    def totals(self) -> tuple[float, ...]:
        """As the rollups hold them, in their order."""
        return (self.calls, self.errors, self.kept, self.timed, self.duration, self.log_sum, self.log_squares)


class Pending:
    def __init__(self) -> None:
        self.rows: list[tuple[Any, ...]] = []
        self.sums: dict[tuple[ToolKey, str, int], Sums] = {}
        self.signatures: dict[tuple[ToolKey, str], list[Any]] = {}
        """Error, message, frames, how many, first and last time."""
        self.tools: dict[ToolKey, tuple[Any, ...]] = {}
        self.own_ns = self.spent_ns = 0
        """The tools' own time, and what recording them took on their threads and on the drainer's."""

    def of(self, tool: ToolKey, arm: str, minute: int) -> Sums:
        sums = self.sums.get((tool, arm, minute))
        if sums is None:
            sums = self.sums[tool, arm, minute] = Sums()
        return sums

    def give_up(self) -> int:
        """Drops the oldest rows beyond what may wait; says how many."""
        excess = max(len(self.rows) - MOST_ROWS, 0)
        del self.rows[:excess]
        return excess

    def __bool__(self) -> bool:
        return bool(self.rows or self.sums)
