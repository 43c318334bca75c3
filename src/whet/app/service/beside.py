"""Run a task in a thread beside the service's looks, so that another system that never answers delays none of them."""

import time
from collections.abc import Callable
from threading import Thread

_LAST_SECONDS = 2.0


class Beside:
    """Runs one task now and then, never twice at a time."""

    def __init__(self) -> None:
        self._thread: Thread | None = None
        self._next_clock = 0.0

    def run(self, every_seconds: float, task: Callable[[], None]) -> None:
        """Start the task, unless it still runs or was started less than `every_seconds` ago."""
        clock = time.monotonic()
        if clock < self._next_clock or (self._thread is not None and self._thread.is_alive()):
            return
        self._next_clock = clock + every_seconds
        self._thread = Thread(target=task, daemon=True)
        self._thread.start()

    def close(self) -> None:
        if self._thread:
            self._thread.join(timeout=_LAST_SECONDS)
