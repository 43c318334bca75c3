import time
from collections.abc import Mapping, Sequence

from whet.domain.clock import now
from whet.domain.containment import Containment
from whet.domain.evidence import Cost, Evidence, GuardFinding
from whet.domain.verdict import CheckResult, Verdict
from whet.phases.validate import Check, Claim
from whet.target.suite import Suite


def validate(
    claim: Claim,
    checks: Mapping[str, Check],
    guard: Sequence[GuardFinding],
    suite: Suite,
    policy_digest: str,
    proposal: str,
    signature: str,
) -> Evidence:
    """The evidence bundle for a patch. Nothing of it runs when the guard blocks."""
    started, runs_before = time.monotonic(), suite.runs
    blocked = [finding.reason for finding in guard if finding.severity == "block"]
    results = () if blocked else tuple(check.check(claim) for check in checks.values())
    verdict, reasons = (Verdict.FAILED, tuple(blocked)) if blocked else conclude(results)
    containment: Containment | None = suite.containment if results else None
    return Evidence(
        proposal=proposal,
        signature=signature,
        base=claim.patch.base,
        tree=claim.patch.tree,
        patch_digest=claim.patch.digest,
        policy_digest=policy_digest,
        verdict=verdict,
        reasons=reasons,
        checks=results,
        guard=tuple(guard),
        containment=containment,
        cost=Cost(seconds=round(time.monotonic() - started, 3), suite_runs=suite.runs - runs_before),
        made_at=now(),
    )


def conclude(results: Sequence[CheckResult]) -> tuple[Verdict, tuple[str, ...]]:
    """All passed, and at least one of them was seen to fail without the patch; otherwise it is not proven."""
    reasons = tuple(f"{result.check}: {result.reason}" for result in results)
    if any(result.verdict is Verdict.FAILED for result in results):
        return Verdict.FAILED, reasons
    if not results or any(result.verdict is Verdict.INCONCLUSIVE for result in results):
        return Verdict.INCONCLUSIVE, reasons or ("nothing was checked",)
    if not any(result.saw_red for result in results):
        return Verdict.INCONCLUSIVE, (
            *reasons,
            "nothing that was red turned green, so nothing shows what the change is for",
        )
    return Verdict.PASSED, reasons
