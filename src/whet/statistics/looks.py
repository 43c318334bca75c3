"""Spend alpha on single looks, for tests that hold for one look only."""

MOST_LOOKS = 25
FIRST_CALLS = 50
_GROWTH = 1.5


class Looks:
    """The looks at one trial: each after half as many calls again as the one before, with an equal part of alpha.

    The last part is kept for the end of the trial. With 25 looks that covers half a million calls; a longer trial is
    looked at once more, at its end.
    """

    def __init__(self) -> None:
        self._taken, self._due = 0, float(FIRST_CALLS)

    def is_due(self, calls: int, *, time_is_up: bool) -> bool:
        """True if this many calls are worth a look now; then the look counts as taken."""
        if time_is_up:
            return True
        if calls < self._due or self._taken >= MOST_LOOKS - 1:
            return False
        self._taken += 1
        self._due = calls * _GROWTH
        return True

    @staticmethod
    def part(alpha: float) -> float:
        """Return the part of alpha that one look may spend."""
        return alpha / MOST_LOOKS
