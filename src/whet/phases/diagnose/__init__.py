"""From signals to findings, and from a finding to the suspicious places in the code."""

from collections.abc import Collection, Iterable, Sequence
from typing import Protocol, runtime_checkable

from whet.domain.finding import Finding
from whet.domain.place import Place
from whet.domain.signal import Signal


class Analyzer(Protocol):
    """An engine that makes findings of the signal kinds that it claims."""

    @property
    def kinds(self) -> Collection[str]:
        """The signal kinds that this analyzer reads; no other analyzer may claim them."""
        ...

    @property
    def minimum_signals(self) -> int:
        """The number of signals that a finding needs at least."""
        ...

    def findings(self, signals: Sequence[Signal]) -> Iterable[Finding]:
        """Group signals of the claimed kinds into findings."""
        ...

    def places(self, finding: Finding, base: str) -> tuple[Place, ...]:
        """Return the suspicious places of a finding in the tree of commit `base`, most suspicious first."""
        ...


@runtime_checkable
class Joiner(Protocol):
    """An analyzer that also runs code of the target to see which of its findings have one cause."""

    def joined(self, findings: Sequence[Finding], base: str) -> Sequence[Finding]:
        """Return the findings with those of one cause joined, as seen in the tree of commit `base`.

        A joined finding keeps the signature of one of its parts, so that a later run recognises it.
        """
        ...
