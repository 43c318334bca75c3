from typing import Protocol

from whet.domain.signal import Signal


class Source(Protocol):
    """An engine that observes signals. It reads and never changes anything."""

    def observe(self, commit: str) -> tuple[Signal, ...]: ...
