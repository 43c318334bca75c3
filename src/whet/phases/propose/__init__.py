from collections.abc import Iterable
from typing import Protocol

from whet.domain.build import Build
from whet.domain.diagnosis import Diagnosis
from whet.domain.finding import Finding
from whet.domain.proposal import Proposal


class Proposer(Protocol):
    """An engine that writes changes: first a plan that can be judged, then, once that may go on, the patch."""

    def can_help(self, finding: Finding) -> bool:
        """Whether this engine has anything to offer; cheap, asked by `scan`."""
        ...

    def propose(self, diagnosis: Diagnosis, base: str, cycle: str) -> Iterable[Proposal]: ...

    def build(self, proposal: Proposal, avoid: frozenset[str]) -> Build:
        """The patch on the proposal's base; never one whose digest is in `avoid`."""
        ...
