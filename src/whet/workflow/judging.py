"""Judge a patch: the guard's findings on it, then the proof, as one evidence bundle."""

from collections.abc import Mapping

from whet.domain.build import Build
from whet.domain.evidence import Evidence, GuardFinding
from whet.domain.patch import Patch
from whet.domain.proposal import Proposal
from whet.guard.judge import judge
from whet.kit import Kit
from whet.phases.validate import Check, Claim
from whet.phases.validate.step import validate
from whet.workflow.guard_context import account_of, surroundings


def judge_patch(proposal: Proposal, build: Build, patch: Patch, checks: Mapping[str, Check], kit: Kit) -> Evidence:
    """Return the evidence for a patch that an engine made of a proposal. Nothing runs if the guard blocks the patch."""
    claim = Claim(patch=patch, targets=proposal.plan.targets, trusted_tests=build.trusted_tests)
    planned = {name: checks[name] for name in proposal.plan.checks}
    findings = guard_findings(proposal, build, patch, kit)
    return validate(claim, planned, findings, kit.suite, kit.policy.digest, proposal.id, proposal.signature)


def guard_findings(proposal: Proposal, build: Build, patch: Patch, kit: Kit) -> tuple[GuardFinding, ...]:
    """Return what the guard says about an engine's patch. Deploy asks again, so that an old answer never counts."""
    return judge(
        patch.changes,
        kit.git.texts(patch.changes),
        around=surroundings(patch, kit.git, kit.interpreter),
        said=account_of(proposal),
        category=proposal.category,
        risk=proposal.risk,
        policy=kit.policy,
        trusted_new_tests=build.trusted_tests,
    )
