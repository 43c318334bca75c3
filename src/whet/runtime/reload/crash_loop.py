"""`CrashLoop`: notices a candidate that fails nearly every call, before the statistics have enough of them.

A row of failures alone says little: an input that fails on both versions may be repeated, and everything fails while a
service that the tool needs is away. So the old version's calls in the same time are counted too.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

LONGEST = 10
"""No candidate is stopped for fewer failures in a row."""

FEWEST_UNITS = 5
"""The same for groups of routing keys: all calls of one key may fail for a reason of their own."""

_UNLIKELY = 0.001


class CrashLoop:
    """The candidate's present row of failures in this process. `alone` says that no call goes to the old version."""

    def __init__(self, name: str, tripped: Callable[[str], None], *, alone: bool) -> None:
        self._name, self._tripped, self._alone = name, tripped, alone
        self._calls = 0
        self._worse = 0
        """Failures in a row that the old version answered on the same input."""
        self._begin()

    def _begin(self) -> None:
        self._row = 0
        self._units: set[int | None] = set()
        self._old_answers: set[int] = set()
        self._old_failures: set[int] = set()
        self._old_calls = [0, 0]
        """Calls of the old version during the row: answered, failed."""

    def new_called(self, unit: int | None, failed: bool) -> None:  # noqa: FBT001 (called for every call of the trial)
        """Do nothing; `answered` and `failed` count. It takes the time that `old_called` takes, so that timing is fair."""
        if not self._row:
            return
        del unit, failed

    def old_called(self, unit: int | None, failed: bool) -> None:  # noqa: FBT001
        """Count a call of the old version."""
        if not self._row:
            return
        self._old_calls[failed] += 1
        if unit is not None:
            (self._old_failures if failed else self._old_answers).add(unit)

    def answered(self) -> None:
        """Count a call that the candidate answered, which ends the row."""
        self._calls += 1
        if self._row:
            self._begin()
        self._worse = 0

    def failed_where_old_answers(self, error: Exception) -> None:
        """Count a failure of the candidate on an input that the old version has answered now."""
        self._worse += 1
        if self._worse == LONGEST:
            self._stop(error)

    def failed(self, unit: int | None, error: Exception) -> None:
        """Count a failure of the candidate whose input was not tried on the old version."""
        self._calls += 1
        self._row += 1
        self._units.add(unit)
        if unit is None:
            row, fewest, (answers, failures) = self._row, LONGEST, self._old_calls
        else:
            row, fewest = len(self._units), FEWEST_UNITS
            answers, failures = len(self._old_answers), len(self._old_failures)
        if row >= fewest and self._is_unlikely(row, answers, failures):
            self._stop(error)

    def _is_unlikely(self, row: int, answers: int, failures: int) -> bool:
        """True if a candidate that is no worse would hardly have had all of these failures and none of the answers."""
        if not answers + failures:
            return self._alone
        return ((row + failures) / (row + answers + failures)) ** row * self._calls < _UNLIKELY

    def _stop(self, error: Exception) -> None:
        times = max(self._row, self._worse)
        self._tripped(f"{self._name} failed {times} times in a row, last with {error!r}"[:500])
