"""The evidence bundle: the record of a proof, which is approved and deployed by its digest."""

from dataclasses import dataclass
from datetime import datetime

from whet.domain.canonical import digest
from whet.domain.containment import Containment
from whet.domain.verdict import CheckResult, Verdict


@dataclass(frozen=True, kw_only=True)
class GuardFinding:
    """A guard rule's remark on a patch. `severity` is `block`, `raise` (a higher tier), `require` (the highest
    tier) or `note`."""

    rule: str
    severity: str
    path: str
    reason: str


@dataclass(frozen=True, kw_only=True)
class Cost:
    """The cost of a proof."""

    seconds: float
    suite_runs: int


@dataclass(frozen=True, kw_only=True)
class Evidence:
    """The result of `phases/validate`. An approval names its digest, and a change to any field changes the digest."""

    proposal: str
    signature: str
    base: str
    tree: str
    patch_digest: str
    policy_digest: str
    verdict: Verdict
    reasons: tuple[str, ...]
    checks: tuple[CheckResult, ...]
    guard: tuple[GuardFinding, ...]
    containment: Containment | None
    cost: Cost
    made_at: datetime

    @property
    def digest(self) -> str:
        return digest(self)

    @property
    def targets(self) -> tuple[str, ...]:
        """Return the target tests that failed on the base."""
        return tuple(target for check in self.checks for target in check.red)
