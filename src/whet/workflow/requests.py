"""The release steps of `carry` for the strategy `pr`: offer the change on a forge, and record how people decided there."""

from functools import partial

from whet.domain.approval import Approval, Gate
from whet.domain.build import Build
from whet.domain.clock import now
from whet.domain.deployment import Deployment, DeploymentState, Intent, Snapshot
from whet.domain.evidence import Evidence
from whet.domain.proposal import Proposal
from whet.domain.pull_request import PullRequest, RequestState
from whet.errors import ForgeRefused, ForgeUnavailable, Internal
from whet.phases.deploy.branch import branch_of
from whet.phases.deploy.pull_request import ByPullRequest
from whet.phases.deploy.rollback import deploy_lock
from whet.phases.deploy.step import commit_of
from whet.workflow.journal import Step
from whet.workflow.release import PARKING_RELEASE, Release, patch_of

_PARKING = (*PARKING_RELEASE, ForgeUnavailable, ForgeRefused)


class RequestSteps(Release):
    def _offer(self, proposal: Proposal, build: Build, evidence: Evidence) -> None:
        """Offer the branch of the patch on the forge, with the strategy `pr`."""
        if self._policy.deploy.requests:
            intent = self._intend("pr", self._ref, proposal, build, evidence)
            step = Step("deploy", f"request-{evidence.digest[:12]}", proposal.id, PullRequest, parks_on=_PARKING)
            self._do(step, partial(self._request, intent, proposal, build, evidence))

    def _request(self, intent: Intent, proposal: Proposal, build: Build, evidence: Evidence) -> PullRequest:
        with deploy_lock(self._kit.state):
            commit = commit_of(intent, proposal, patch_of(build), self._git)
            self._refuse_unpermitted((Gate.APPLY,), proposal, build, evidence)
            self._journal.refuse_unless_permitted()
            return self._target.request(intent, commit)

    @property
    def _target(self) -> ByPullRequest:
        target = self._engines.targets["pr"]
        if not isinstance(target, ByPullRequest):
            raise Internal(
                "another package has replaced the target `pr`", "uninstall it, or give its target another name"
            )
        return target

    def land(self, proposal: Proposal, build: Build, evidence: Evidence) -> Deployment:
        """Deploy to the target branch. With the strategy `pr`, record the merge on the forge."""
        if not self._policy.deploy.requests:
            return super().land(proposal, build, evidence)
        intent = self._intend("pr", self._ref, proposal, build, evidence)
        step = Step("deploy", f"pr-{evidence.digest[:12]}", proposal.id, Deployment, parks_on=_PARKING)
        landed = self._do(step, partial(self._landed, intent, proposal, build, evidence))
        self._git.drop_branch(branch_of(proposal.id), landed.after)
        return landed

    def _landed(self, intent: Intent, proposal: Proposal, build: Build, evidence: Evidence) -> Deployment:
        request, commit = self._opened(proposal, evidence), commit_of(intent, proposal, patch_of(build), self._git)
        now_there = self._target.look(request)
        if now_there.state is not RequestState.MERGED and self._policy.forge.merge == "whet":
            with deploy_lock(self._kit.state):
                self._refuse_unpermitted((Gate.APPLY, Gate.MERGE), proposal, build, evidence)
                self._journal.refuse_unless_permitted()
                self._target.refuse_moved_base(now_there, intent.before)
                self._target.refuse_open_checks(now_there, evidence.verdict)
                self._target.merge(request, commit)
            now_there = self._target.look(request)
        if now_there.state is not RequestState.MERGED:
            raise ForgeRefused(f"{request.url} is approved and not merged", "merge it there, then `whet resume`")
        saved = self._journal.recall(f"{proposal.id}/deploy/snapshot-{evidence.digest[:12]}", Snapshot)
        return Deployment(
            id=intent.id,
            proposal=proposal.id,
            strategy="pr",
            ref=self._target.fetch_base(now_there, intent.before),
            before=intent.before,
            after=commit,
            snapshot=saved.id,
            evidence_digest=evidence.digest,
            state=DeploymentState.DEPLOYED,
            actor=f"{now_there.merged_by or 'somebody'} on {now_there.host}",
            at=now(),
            merge_commit=now_there.merge_commit,
        )

    def _opened(self, proposal: Proposal, evidence: Evidence) -> PullRequest:
        return self._journal.recall(f"{proposal.id}/deploy/request-{evidence.digest[:12]}", PullRequest)

    def roll_back_refused(self, proposal: Proposal, staged: Deployment, refusal: Approval) -> str:
        """Remove the proposal's branch after a no at the merge gate, and close its pull request. Return the reason."""
        reason = super().roll_back_refused(proposal, staged, refusal)
        key = f"{proposal.id}/deploy/request-{staged.evidence_digest[:12]}"
        if self._policy.deploy.requests and (opened := self._ledger.find(key)):
            step = Step("deploy", f"close-{staged.id}", proposal.id, PullRequest, parks_on=_PARKING)
            why = f"whet withdraws this change: {refusal.answer.value} at the merge gate"
            self._do(step, partial(self._target.close, opened.read(PullRequest), why))
        return reason
