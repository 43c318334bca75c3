from dataclasses import dataclass
from datetime import datetime

from whet.domain.canonical import digest
from whet.domain.containment import Containment
from whet.domain.verdict import CheckResult, Verdict


@dataclass(frozen=True, kw_only=True)
class GuardFinding:
    """What a guard rule said about the resulting tree: `block`, `raise` (a higher tier), `require` (the highest
    tier) or `note`."""

    rule: str
    severity: str
    path: str
    reason: str


@dataclass(frozen=True, kw_only=True)
class Cost:
    seconds: float
    suite_runs: int


@dataclass(frozen=True, kw_only=True)
class Evidence:
    """The bundle that is approved and deployed: every part of it changes its digest."""

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
        return tuple(target for check in self.checks for target in check.red)
