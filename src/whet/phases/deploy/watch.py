"""The calls since a deployment against those before it, looked at until one answer is proven or time is up."""

import time
from collections.abc import Callable, Collection

from whet.domain.clock import now
from whet.domain.decision import Decision, State
from whet.domain.deployment import Deployment
from whet.domain.trial import Watch
from whet.domain.version import CURRENT
from whet.phases.deploy.traffic import refused, stretched, traffic
from whet.phases.kit import Kit
from whet.statistics.terms import Terms
from whet.statistics.watch import decide_watch
from whet.store.executions import Executions
from whet.store.versions import Versions

LOOK_SECONDS = 0.25


class Watcher:
    def __init__(self, kit: Kit, permitted: Callable[[], None]) -> None:
        self._seconds, self._progress, self._permitted = kit.policy.deploy.watch_seconds, kit.progress, permitted
        self._versions, self._executions = Versions(kit.state), Executions(kit.state)

    def run(self, deployment: Deployment, modules: Collection[str], signature: str) -> Watch:
        """`signature` is the failure that the deployment was to mend, as the application names it; it may be empty."""
        decision = self._follow(deployment, modules, signature)
        return Watch(
            deployment=deployment.id,
            state=decision.state,
            why=decision.why,
            figures=decision.figures,
            began=deployment.at,
            ended=now(),
        )

    def _follow(self, deployment: Deployment, modules: Collection[str], signature: str) -> Decision:
        while True:
            self._permitted()
            passed = (now() - deployment.at).total_seconds()
            decision = self._look(deployment, modules, signature, time_is_up=passed >= self._seconds)
            if decision.state is not State.HOLD:
                return decision
            time.sleep(LOOK_SECONDS)

    def _look(self, deployment: Deployment, modules: Collection[str], signature: str, *, time_is_up: bool) -> Decision:
        found = [manifest for module in modules if (manifest := self._versions.manifest(module))]
        if why := refused(self._versions, {one.module: one.current.digest for one in found}):
            return Decision(State.ROLLBACK, why)
        now_runs = [one.current.short for one in found]
        since = traffic(self._executions, modules, now_runs, CURRENT, deployment.at)
        self._progress.advance("watching, calls since", since.calls, 0)
        if not since.calls:
            ends = time_is_up or not self._versions.running()
            why = "no call since the deployment, so nothing speaks for or against it"
            return Decision(State.INCONCLUSIVE if ends else State.HOLD, why)
        ran_before = [one.previous[-1].short for one in found if one.previous]
        before = traffic(self._executions, modules, ran_before, CURRENT)
        limit, terms = before.slow_above(), Terms()
        return decide_watch(
            before.arm(limit),
            since.arm(stretched(limit, terms.latency_margin)),
            since.failures.get(signature, 0),
            terms,
            time_is_up=time_is_up,
        )
