"""A dry run: everything up to the gate, for real, and then only words."""

from dataclasses import dataclass

from whet.app.project import Project
from whet.domain.approval import Gate
from whet.domain.build import Build
from whet.domain.evidence import Evidence
from whet.domain.patch import Patch
from whet.domain.proposal import Proposal
from whet.domain.verdict import Verdict
from whet.guard.judge import judge
from whet.guard.tier import tier
from whet.phases.diagnose.step import diagnose, findings
from whet.phases.learn.step import remember
from whet.phases.observe.step import observe
from whet.phases.propose.step import build, propose
from whet.phases.validate import Claim
from whet.phases.validate.step import validate
from whet.workflow.guard_context import account_of, surroundings


@dataclass(frozen=True)
class WouldBe:
    proposal: Proposal
    built: Build
    evidence: Evidence | None
    next: str


def dry_run(project: Project, top: int) -> list[WouldBe]:
    """Nothing is recorded, asked or moved; the time that it takes is the budget's."""
    project.permitted()
    policy = project.policy
    with project.spending.wall("dry-run", policy.propose.repair_seconds + policy.tests.timeout_seconds):
        return _rehearse(project, top)


def _rehearse(project: Project, top: int) -> list[WouldBe]:
    kit, engines, policy = project.kit, project.engines, project.policy
    base = project.git.resolve(project.ref)
    memory = remember(project.ledger.entries(kind="Lesson"))
    found = findings(observe(base, engines.sources, project.progress), kit.is_test)
    helped = [finding for finding in found if any(engine.can_help(finding) for engine in engines.proposers.values())]
    diagnoses = [diagnose(finding, lambda f: engines.localise(f, base), policy.target) for finding in helped[:top]]
    proposals = propose(diagnoses, engines.proposers, memory, base, "dry-run", project.progress)
    return [_would(proposal, project) for proposal in proposals[:top]]


def _would(proposal: Proposal, project: Project) -> WouldBe:
    engines, policy = project.engines, project.policy
    built = build(proposal, engines.proposers[proposal.engine], remember(project.ledger.entries(kind="Lesson")))
    if built.patch is None:
        return WouldBe(proposal, built, None, f"end here: {built.note}")
    evidence = proof_of(built.patch, proposal, built.trusted_tests, project)
    if evidence.verdict is Verdict.FAILED:
        return WouldBe(proposal, built, evidence, "end here: not proven")
    asked, reasons = tier(
        gate=Gate.APPLY, risk=proposal.risk, kind=proposal.kind, category=proposal.category,
        verdict=evidence.verdict, findings=evidence.guard, policy=policy,
    )  # fmt: skip
    where = project.ref.removeprefix("refs/heads/") if policy.deploy.merges else f"whet/{proposal.id}"
    return WouldBe(
        proposal, built, evidence, f"ask at tier {asked.value} ({'; '.join(reasons)}), then deploy to {where}"
    )


def proof_of(patch: Patch, proposal: Proposal, trusted_tests: tuple[str, ...], project: Project) -> Evidence:
    """The guard and the whole cold proof, for a patch that an engine made of this proposal."""
    kit, policy = project.kit, project.policy
    judged = judge(
        patch.changes, kit.git.texts(patch.changes), category=proposal.category, risk=proposal.risk, policy=policy,
        trusted_new_tests=trusted_tests, context=surroundings(patch, kit.git, kit.interpreter), description=account_of(proposal),
    )  # fmt: skip
    claim = Claim(patch=patch, targets=proposal.plan.targets, trusted_tests=trusted_tests)
    checks = {name: project.engines.checks[name] for name in proposal.plan.checks}
    return validate(claim, checks, judged, kit.suite, policy.digest, proposal.id, proposal.signature)
