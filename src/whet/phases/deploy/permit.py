"""The last check before anything moves: the change to deploy is the one that was proven and approved."""

from collections.abc import Collection, Sequence

from whet.config import Config
from whet.domain.approval import Answer, Approval, Gate, Tier
from whet.domain.evidence import Evidence, GuardFinding
from whet.domain.patch import Patch
from whet.domain.verdict import Verdict
from whet.errors import EvidenceChanged, Refused, Withdrawn
from whet.git.git import Git


def permit(
    evidence: Evidence,
    patch: Patch,
    approvals: Sequence[Approval],
    gates: Collection[Gate],
    guard: Sequence[GuardFinding],
    policy: Config,
    git: Git,
) -> None:
    """Recompute everything and raise on any difference, any answer other than yes, and any gate without an answer."""
    fresh = git.patch(patch.base, patch.tree, patch.summary)
    _same("patch", fresh.digest, evidence.patch_digest)
    _same("tree", patch.tree, evidence.tree)
    _same("base", patch.base, evidence.base)
    _same("policy", policy.digest, evidence.policy_digest)
    if blocked := [finding.reason for finding in guard if finding.severity == "block"]:
        raise Refused(f"the guard refuses: {blocked[0]}")
    for approval in approvals:
        _same("evidence that was approved", evidence.digest, approval.digest)
        if approval.answer is Answer.WITHDRAWN:
            raise Withdrawn(f"{approval.who} withdrew the approval: {approval.why or 'no reason given'}")
        if not approval.granted:
            raise Refused(f"{approval.who} answered {approval.answer} at the {approval.gate} gate")
    if unanswered := set(gates) - {approval.gate for approval in approvals if approval.granted}:
        raise Refused(f"nobody approved this evidence at the {min(unanswered)} gate")
    if evidence.verdict is Verdict.FAILED:
        raise Refused("the verdict is failed, and nobody can override that")
    if evidence.verdict is not Verdict.PASSED and not any(_overrides(approval) for approval in approvals):
        raise Refused(f"the verdict is {evidence.verdict} and no person overrode it at tier {Tier.REQUIRE}")
    if policy.environment == "production" and not any(approval.approver == "person" for approval in approvals):
        raise Refused("in production a person must approve every deployment")


def _overrides(approval: Approval) -> bool:
    """True if a person, asked at the strictest tier, accepted a verdict other than passed."""
    return approval.override and approval.approver == "person" and approval.tier is Tier.REQUIRE


def _same(what: str, now: str, then: str) -> None:
    if now != then:
        raise EvidenceChanged(
            f"the {what} is not what was proved: {now[:12]} now, {then[:12]} then",
            "run it again, so that it is proved again",
        )
