"""A limit for the number of requests of each caller."""

import threading
import time
from collections.abc import Callable

from whet.errors import TooManyRequests


class Rates:
    """A token bucket for each caller: `per_minute` requests at once, refilled evenly."""

    def __init__(self, per_minute: int, clock: Callable[[], float] = time.monotonic) -> None:
        self._most, self._clock = float(per_minute), clock
        self._lock = threading.Lock()
        self._buckets: dict[str, tuple[float, float]] = {}

    def take(self, caller: str) -> None:
        """Count one request of a caller. Raise TooManyRequests if its bucket is empty."""
        with self._lock:
            at = self._clock()
            left, since = self._buckets.get(caller, (self._most, at))
            left = min(self._most, left + (at - since) * self._most / 60)
            self._buckets[caller] = (max(0.0, left - 1), at)
        if left < 1:
            raise TooManyRequests(f"{caller} sends more than {self._most:.0f} requests a minute", "wait a few seconds")
