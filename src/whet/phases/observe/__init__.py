from typing import Protocol, runtime_checkable

from whet.domain.signal import Signal


class Source(Protocol):
    """An engine that observes signals. It reads and never changes anything."""

    def observe(self, commit: str) -> tuple[Signal, ...]: ...


@runtime_checkable
class Skipping(Protocol):
    """A source that says what its last look left out, one sentence each."""

    @property
    def skipped(self) -> tuple[str, ...]: ...
