"""The data of the next write: a row for each captured call, and totals that include every call."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    ToolKey = tuple[str, str]
    """A tool's name and version."""

MOST_ROWS = 16_384
"""While the database cannot be written, this many rows are kept and older ones dropped. Totals are never dropped."""


class Totals:
    """The totals of one tool, version and arm in one minute."""

    __slots__ = ("buckets", "calls", "duration", "errors", "kept", "log_squares", "log_sum", "signatures", "timed")

    def __init__(self) -> None:
        self.calls = self.errors = self.kept = self.timed = self.duration = 0
        self.log_sum = self.log_squares = 0.0
        self.buckets: dict[int, int] = {}
        self.signatures: dict[str, int] = {}

    def columns(self) -> tuple[float, ...]:
        """Return the values in the order of the columns of the table `rollups`."""
        return (self.calls, self.errors, self.kept, self.timed, self.duration, self.log_sum, self.log_squares)


class Batch:
    """The rows, totals, failure signatures and tool descriptions that one transaction will write."""

    def __init__(self) -> None:
        self.rows: list[tuple[Any, ...]] = []
        self.totals: dict[tuple[ToolKey, str, int], Totals] = {}
        self.signatures: dict[tuple[ToolKey, str], list[Any]] = {}
        """Values: error, message, frames, number of failures, time of the first and of the last."""
        self.tools: dict[ToolKey, tuple[Any, ...]] = {}
        self.own_ns = self.spent_ns = 0
        """The tools' own run time, and the time that capturing took on their threads and on the drainer's."""

    def totals_of(self, tool: ToolKey, arm: str, minute: int) -> Totals:
        totals = self.totals.get((tool, arm, minute))
        if totals is None:
            totals = self.totals[tool, arm, minute] = Totals()
        return totals

    def drop_oldest(self) -> int:
        """Drop the oldest rows beyond `MOST_ROWS` and return how many were dropped."""
        excess = max(len(self.rows) - MOST_ROWS, 0)
        del self.rows[:excess]
        return excess

    def __bool__(self) -> bool:
        return bool(self.rows or self.totals)
