"""`DeploymentWatcher`: compares the calls since a deployment with those before it, until one answer is proven or time is
up."""

import time
from collections.abc import Callable, Mapping

from whet.domain.clock import now
from whet.domain.decision import Decision, State
from whet.domain.deployment import Deployment
from whet.domain.trial import Watch
from whet.domain.version import CURRENT, digest_of
from whet.kit import Kit
from whet.phases.deploy.traffic import TrafficCounts, raised_limit, refusal_of, terms_of
from whet.statistics.watch import decide_watch
from whet.store.executions import Executions
from whet.store.versions import Versions

LOOK_SECONDS = 0.25


class DeploymentWatcher:
    """Watches one deployment."""

    def __init__(
        self, kit: Kit, deployment: Deployment, permitted: Callable[[], None], rolled_back: Callable[[], str]
    ) -> None:
        """`permitted` raises if the watch must stop. `rolled_back` returns who rolled it back and why, or ''."""
        self._seconds, self._progress, self._git = kit.policy.deploy.watch_seconds, kit.progress, kit.git
        self._terms = terms_of(kit.policy.deploy)
        self._deployment, self._permitted, self._rolled_back = deployment, permitted, rolled_back
        self._versions, self._executions = Versions(kit.state), Executions(kit.state)

    def run(self, modules: Mapping[str, str], signature: str) -> Watch:
        """Watch the deployed modules (path -> name) and return the result.

        `signature` is that of the failure that the deployment fixes, as recorded by the application, or ''.
        """
        decision = self._wait_for_decision(modules, signature)
        return Watch(
            deployment=self._deployment.id,
            state=decision.state,
            why=decision.why,
            figures=decision.figures,
            began=self._deployment.at,
            ended=now(),
        )

    def _wait_for_decision(self, modules: Mapping[str, str], signature: str) -> Decision:
        after = self._deployment.after
        deployed = {module: digest_of(self._git.read(after, path) or b"") for path, module in modules.items()}
        while True:
            self._permitted()
            if reason := self._rolled_back():
                return Decision(State.ROLLBACK, reason)
            passed = (now() - self._deployment.at).total_seconds()
            decision = self._decide(deployed, signature, time_is_up=passed >= self._seconds)
            if decision.state is not State.HOLD:
                return decision
            time.sleep(LOOK_SECONDS)

    def _decide(self, deployed: Mapping[str, str], signature: str, *, time_is_up: bool) -> Decision:
        """Compare the calls of the deployed versions (module -> digest) with those of the versions before them.

        The failures that the change mends are no part of what is to be expected after it.
        The watch ends if another version has replaced one of them: later calls say nothing about this deployment.
        """
        manifests = [manifest for module in deployed if (manifest := self._versions.manifest(module))]
        replaced = [manifest.module for manifest in manifests if manifest.current.digest != deployed[manifest.module]]
        if replaced:
            return Decision(State.INCONCLUSIVE, f"another version took its place: {', '.join(replaced)}")
        if reason := refusal_of(self._versions, deployed):
            return Decision(State.ROLLBACK, reason)
        counts = TrafficCounts(self._executions, deployed, self._deployment.at)
        since = counts.traffic([manifest.current.short for manifest in manifests], CURRENT)
        self._progress.advance("watching, calls since", since.calls, 0)
        if not since.calls:
            ends = time_is_up or not self._versions.running()
            reason = "no call since the deployment, so nothing can be compared"
            return Decision(State.INCONCLUSIVE if ends else State.HOLD, reason)
        previous = [manifest.previous[-1].short for manifest in manifests if manifest.previous]
        before = TrafficCounts(self._executions, deployed).traffic(previous, CURRENT).without_failure(signature)
        limit, terms = before.slow_above(), self._terms
        return decide_watch(
            before.arm(limit),
            since.arm(raised_limit(limit, terms.latency_margin)),
            since.failures.get(signature, 0),
            terms,
            time_is_up=time_is_up,
        )
