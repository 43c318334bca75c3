from typing import Protocol

from whet.domain.signal import Signal


class Source(Protocol):
    """Where signals come from. Reads, never changes anything."""

    def observe(self, commit: str) -> tuple[Signal, ...]: ...
