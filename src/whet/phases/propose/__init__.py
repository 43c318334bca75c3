"""The propose phase: engines that write changes."""

from collections.abc import Collection, Iterable
from typing import Protocol, runtime_checkable

from whet.domain.build import Build
from whet.domain.diagnosis import Diagnosis
from whet.domain.finding import Finding
from whet.domain.layer import Layer
from whet.domain.proposal import Proposal


class Proposer(Protocol):
    """An engine that writes changes: first a plan that can be approved, then the patch.

    An engine may have an attribute `build_seconds`, the time limit of one build; without it `propose.repair_seconds` counts.
    """

    def can_help(self, finding: Finding) -> bool:
        """True if this engine may have a change to propose. Must be cheap: `scan` calls it for every finding."""
        ...

    def propose(self, diagnosis: Diagnosis, base: str, cycle: str) -> Iterable[Proposal]:
        """Yield plans for changes to the commit `base`."""
        ...

    def build(self, proposal: Proposal, avoid: frozenset[str]) -> Build:
        """Return the patch on the proposal's base; never one whose digest is in `avoid`."""
        ...


@runtime_checkable
class Layered(Protocol):
    """A proposer that can change some layers only. It is not asked if replay shows that the cause is in another one."""

    @property
    def layers(self) -> Collection[Layer]: ...
