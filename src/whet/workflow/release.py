"""The release steps of `carry`: snapshot, stage on a branch, land, verify, roll back."""

from dataclasses import replace
from functools import partial

from whet.config import load
from whet.domain.approval import Approval, Gate
from whet.domain.build import Build
from whet.domain.deployment import Deployment, Intent, Rehearsal, Rollback, Snapshot, Verification
from whet.domain.evidence import Evidence
from whet.domain.patch import Patch
from whet.domain.proposal import Proposal
from whet.domain.version import Mode
from whet.errors import (
    ApproversChanged,
    BaseMoved,
    ForgeRefused,
    ForgeUnavailable,
    NotCounted,
    Refused,
    WorktreeNotClean,
)
from whet.phases.approve.roll import Roll
from whet.phases.deploy.branch import branch_of
from whet.phases.deploy.live_modules import require_keys, require_live_modules, require_shadow_safe
from whet.phases.deploy.permit import permit
from whet.phases.deploy.rollback import deploy_lock, roll_back
from whet.phases.deploy.step import commit_of, deploy, intend, intend_again, rehearse, snapshot, verify
from whet.workflow.journal import Step, Turn
from whet.workflow.judging import engine_origin, guard_findings
from whet.workflow.proven import refuse_unproven_approvals
from whet.workflow.steps import Steps

_FORGE_AWAY = (ForgeUnavailable, ForgeRefused)  # only the strategy `pr` asks a forge; the rollback must not be given up
PARKING_RELEASE = (WorktreeNotClean, ApproversChanged, NotCounted)


class Release(Steps):
    @property
    def merges(self) -> bool:
        return self._policy.deploy.merges

    def snapshot_and_rehearse(self, proposal: Proposal, build: Build, evidence: Evidence) -> None:
        """Save the state before the deployment, and try the rollback before it is needed."""
        patch, name = patch_of(build), evidence.digest[:12]
        saved = self._do(
            Step("deploy", f"snapshot-{name}", proposal.id, Snapshot), partial(snapshot, proposal.id, patch, self._git)
        )
        self._do(
            Step("deploy", f"rehearse-{name}", proposal.id, Rehearsal),
            partial(rehearse, proposal.id, patch, saved, self._git),
        )

    def stage(self, proposal: Proposal, build: Build, evidence: Evidence) -> Deployment:
        """Put the patch on a branch of its own, if the base has not moved since the proof."""
        self._do(
            Step("deploy", f"base-{evidence.digest[:12]}", proposal.id, str, kind="Base"),
            partial(self._same_base, evidence),
        )
        if self._policy.deploy.reloads:
            self._live_modules(build)
        intent = self._intend("branch", branch_of(proposal.id), proposal, build, evidence)
        step = Step("deploy", f"branch-{evidence.digest[:12]}", proposal.id, Deployment, parks_on=PARKING_RELEASE)
        staged = self._do(step, partial(self._deploy, intent, proposal, build, evidence))
        self._offer(proposal, build, evidence)
        return staged

    def _offer(self, proposal: Proposal, build: Build, evidence: Evidence) -> None:
        """Offer the branch elsewhere; `RequestSteps` does that for the strategy `pr`."""

    def _same_base(self, evidence: Evidence) -> str:
        if (head := self._git.resolve(self._ref)) != evidence.base:
            raise BaseMoved(f"{self._ref} is at {head[:10]}, not at {evidence.base[:10]} as it was at the proof")
        return head

    def _live_modules(self, build: Build) -> dict[str, str]:
        """Return the modules that running applications get, by path; refuse a change to anything else."""
        patch = patch_of(build)
        modules = require_live_modules(patch.paths, self._kit, patch.base)
        if self._policy.deploy.trial is Mode.SHADOW:
            require_shadow_safe(modules.values(), self._kit)
        elif self._policy.deploy.trial:
            require_keys(modules, self._kit, patch.base)
        return modules

    def land(self, proposal: Proposal, build: Build, evidence: Evidence) -> Deployment:
        """Deploy to the target branch by the policy's strategy, and remove the proposal's own branch."""
        strategy = self._policy.deploy.strategy
        intent = self._intend(strategy, self._ref, proposal, build, evidence)
        turn = Turn.REPLACES_CODE if self._policy.deploy.reloads else Turn.ALONE
        name = f"{strategy}-{evidence.digest[:12]}"
        step = Step("deploy", name, proposal.id, Deployment, turn=turn, parks_on=PARKING_RELEASE)
        landed = self._do(step, partial(self._deploy, intent, proposal, build, evidence))
        self._git.drop_branch(branch_of(proposal.id), landed.after)
        return landed

    def _intend(self, strategy: str, ref: str, proposal: Proposal, build: Build, evidence: Evidence) -> Intent:
        """Record what is about to be deployed, so that a repeated step makes the same commit."""
        step = Step("deploy", f"intent-{strategy}-{evidence.digest[:12]}", proposal.id, Intent)
        return self._do(step, partial(self._intent, strategy, ref, proposal, patch_of(build), evidence))

    def _intent(self, strategy: str, ref: str, proposal: Proposal, patch: Patch, evidence: Evidence) -> Intent:
        staged = self._ledger.find(f"{proposal.id}/deploy/intent-branch-{evidence.digest[:12]}")
        if staged:
            return intend_again(staged.read(Intent), strategy, ref)
        author, anchor = self._policy.deploy.author, self._ledger.publish()
        intent = intend(proposal.id, strategy, ref, patch, evidence.digest, str(self._ledger.head()), author)
        approvals = [approval for approval in self._approvals(evidence) if approval.granted]
        people = tuple(approval.people for approval in approvals)
        return replace(intent, ledger_anchor=anchor, approved_by=people)

    def _deploy(self, intent: Intent, proposal: Proposal, build: Build, evidence: Evidence) -> Deployment:
        patch = patch_of(build)
        saved = self._journal.recall(f"{proposal.id}/deploy/snapshot-{evidence.digest[:12]}", Snapshot)
        gates = (Gate.APPLY,) if intent.strategy == "branch" else (Gate.APPLY, Gate.MERGE)
        with deploy_lock(self._kit.state):
            commit = commit_of(intent, proposal, patch, self._git)
            if not self._git.is_ancestor(
                commit, intent.ref
            ):  # if it is, the deployment was interrupted just before it was recorded
                self._refuse_unpermitted(gates, proposal, build, evidence)
            self._journal.refuse_unless_permitted()
            target = self._engines.targets[intent.strategy]
            return deploy(intent, commit, saved, target, self._approved_by(evidence), self._git)

    def _refuse_unpermitted(
        self, gates: tuple[Gate, ...], proposal: Proposal, build: Build, evidence: Evidence
    ) -> None:
        """Raise unless the change is the proven one and these gates, and the plan, are approved with proof."""
        self._ledger.refuse_if_damaged()
        patch, approvals, policy = patch_of(build), self._approvals(evidence), load(self._git.root)
        guard = guard_findings(patch, engine_origin(proposal, build), self._kit)
        permit(self._recorded(evidence), patch, approvals, gates, guard, policy, self._git)
        roll = Roll(self._git, self._ledger, policy, self._ref)
        answers, asked = [*self._plan_approvals(proposal), *approvals], (Gate.PLAN, *gates)
        refuse_unproven_approvals(answers, asked, proposal, evidence, guard, policy, roll, self._ledger)

    def _recorded(self, evidence: Evidence) -> Evidence:
        """Return the evidence as the ledger holds it now: permission is computed from the record, not from memory."""
        for entry in self._ledger.entries(kind="Evidence", subject=evidence.proposal):
            if entry.unedited().read(Evidence).digest == evidence.digest:
                return entry.read(Evidence)
        raise Refused("the ledger has no such evidence")

    def _approvals(self, evidence: Evidence) -> list[Approval]:
        """Return every answer about this evidence, withdrawals included."""
        entries = self._ledger.entries(kind="Approval", subject=evidence.proposal)
        approvals = (entry.unedited().read(Approval) for entry in entries)
        return [approval for approval in approvals if approval.digest == evidence.digest]

    def _plan_approvals(self, proposal: Proposal) -> list[Approval]:
        """Return the answers at the plan gate. Refuse if nobody said yes there."""
        entries = self._ledger.entries(kind="Approval", subject=proposal.id)
        answers = [entry.unedited().read(Approval) for entry in entries]
        plans = [answer for answer in answers if (answer.gate, answer.digest) == (Gate.PLAN, proposal.digest)]
        if not any(answer.granted for answer in plans):
            raise Refused("nobody approved the plan of this proposal")
        return plans

    def _approved_by(self, evidence: Evidence) -> str:
        """Return the name of the person who approved the evidence, or of the policy if no person was asked."""
        approvals = self._approvals(evidence)
        return next((approval.who for approval in approvals if approval.approver == "person"), approvals[-1].who)

    def verify(self, proposal: Proposal, deployment: Deployment, evidence: Evidence) -> Verification:
        intent = self._journal.recall(
            f"{proposal.id}/deploy/intent-{deployment.strategy}-{evidence.digest[:12]}", Intent
        )
        within = partial(self._budgets.wall_without_limit, proposal.id)
        return self._do(
            Step("deploy", f"verify-{deployment.id}", proposal.id, Verification, within=within),
            partial(verify, deployment, intent, evidence.targets, self._kit.suite, self._smoke, self._git),
        )

    def _smoke(self, tree: str) -> str:
        """Run the policy's smoke command on the deployed tree; return why it failed, or an empty string."""
        command = self._policy.deploy.smoke
        if not command:
            return ""
        finished = self._kit.sandbox.run(self._kit.suite.job(tree, command, self._policy.deploy.timeout_seconds))
        return finished.stopped_by or (finished.output.strip()[-500:] or "no output" if finished.exit_code else "")

    def roll_back(self, proposal: Proposal, deployment: Deployment, reason: str) -> Rollback:
        return self._do(
            Step("deploy", f"rollback-{deployment.id}", proposal.id, Rollback, parks_on=_FORGE_AWAY),
            partial(self._roll_back, proposal, deployment, reason),
        )

    def _roll_back(self, proposal: Proposal, deployment: Deployment, reason: str) -> Rollback:
        with deploy_lock(self._kit.state):
            self._journal.refuse_unless_permitted()
            self._ledger.refuse_if_damaged()
            return roll_back(proposal.title, deployment, reason, "whet", self._kit, self._engines.targets)

    def roll_back_refused(self, proposal: Proposal, staged: Deployment, refusal: Approval) -> str:
        """Remove the proposal's branch after a no at the merge gate; a branch with other commits stays. Return the reason."""
        try:
            self.roll_back(proposal, staged, f"{refusal.answer.value} at the merge gate")
        except Refused as in_use:
            return "; ".join(filter(None, (refusal.why, f"its branch stays: {in_use.message}")))
        return refusal.why

    def roll_back_stale(self, proposal: Proposal, evidence: Evidence) -> None:
        """Remove the proposal's branch, if it was made already, because its base has moved."""
        staged = self._ledger.find(f"{proposal.id}/deploy/branch-{evidence.digest[:12]}")
        if staged:
            self.roll_back(proposal, staged.read(Deployment), "the base has moved")


def patch_of(build: Build) -> Patch:
    """Return the patch of a build. `carry` ends before any step that calls this without a patch."""
    assert build.patch is not None  # noqa: S101 - see above
    return build.patch
