"""The steps of `carry` that judge a change by real calls: the trial before it is merged, and the watch after."""

from functools import partial

from whet.domain.approval import Answer, Approval
from whet.domain.build import Build
from whet.domain.deployment import Deployment, RollbackIntent
from whet.domain.proposal import Proposal
from whet.domain.trial import Trial, TrialBegun, Watch
from whet.errors import Withdrawn
from whet.phases.deploy.live_modules import live_modules
from whet.phases.deploy.trial import TrialRunner
from whet.phases.deploy.watch import DeploymentWatcher
from whet.workflow.journal import Step, Turn
from whet.workflow.release import patch_of
from whet.workflow.requests import RequestSteps


class OnCalls(RequestSteps):
    @property
    def has_trial(self) -> bool:
        return self._policy.deploy.trial is not None

    @property
    def watches(self) -> bool:
        return self._policy.deploy.reloads

    def trial(self, proposal: Proposal, build: Build, staged: Deployment) -> Trial:
        """Try the staged change on real calls. A trial that was interrupted is continued."""
        step = Step("deploy", f"trial-{staged.id}", proposal.id, Trial, turn=Turn.OBSERVES_CALLS)
        return self._do(step, partial(self._trial, build, staged))

    def _trial(self, build: Build, staged: Deployment) -> Trial:
        trier = TrialRunner(
            self._kit,
            staged,
            partial(self._refuse_if_withdrawn, staged),
            partial(self._rollback_reason, staged),
            self._record_trial,
        )
        return trier.run(self._live_modules(build))

    def _record_trial(self, begun: TrialBegun) -> None:
        """Record the start of a trial. An interrupted trial that is resumed keeps its first record."""
        self._ledger.append("deploy", begun, subject=begun.proposal, key=f"{begun.deployment}/trial-begun")

    def _refuse_if_withdrawn(self, staged: Deployment) -> None:
        """End a trial whose approval was withdrawn: callers must not be served a change that nobody approves."""
        self._journal.refuse_unless_permitted()
        entries = self._ledger.entries(kind="Approval", subject=staged.proposal)
        for approval in (entry.unedited().read(Approval) for entry in entries):
            if approval.answer is Answer.WITHDRAWN and approval.digest == staged.evidence_digest:
                raise Withdrawn(f"{approval.who} withdrew the approval: {approval.why or 'no reason given'}")

    def _rollback_reason(self, deployment: Deployment) -> str:
        """Return who has started a rollback of this deployment, and why; empty if nobody has."""
        entries = self._ledger.entries(kind="RollbackIntent", subject=deployment.proposal)
        intents = [intent for entry in entries if (intent := entry.read(RollbackIntent)).deployment == deployment.id]
        return f"{intents[-1].actor} rolled it back: {intents[-1].reason}" if intents else ""

    def watch(self, proposal: Proposal, build: Build, deployment: Deployment) -> Watch:
        """Watch the calls of the replaced modules after the deployment."""
        step = Step("deploy", f"watch-{deployment.id}", proposal.id, Watch, turn=Turn.OBSERVES_CALLS)
        return self._do(step, partial(self._watch, proposal, build, deployment))

    def _watch(self, proposal: Proposal, build: Build, deployment: Deployment) -> Watch:
        watcher = DeploymentWatcher(
            self._kit, deployment, self._journal.refuse_unless_permitted, partial(self._rollback_reason, deployment)
        )
        module_by_path = live_modules(self._kit, deployment.before)
        modules = {path: module_by_path[path] for path in patch_of(build).paths if path in module_by_path}
        signature = str(proposal.diagnosis.finding.signals[0].payload.get("signature", ""))
        return watcher.run(modules, signature)
