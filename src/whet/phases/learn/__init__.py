"""Learning: every ended proposal leaves a lesson, and learners say what not to try again."""

from typing import Protocol

from whet.domain.finding import Finding


class Learner(Protocol):
    """An engine that knows what earlier proposals showed."""

    def why_not(self, finding: Finding, engine: str, base: str) -> str:
        """Return why `engine` should not propose a change for `finding` on commit `base`; empty if it may."""
        ...

    def avoid(self, signature: str) -> frozenset[str]:
        """Return the digests of patches that must not be offered again for this failure signature."""
        ...
