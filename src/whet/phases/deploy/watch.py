"""The calls since a deployment against those before it, looked at until one answer is proven or time is up."""

import time
from collections.abc import Callable, Mapping

from whet.domain.clock import now
from whet.domain.decision import Decision, State
from whet.domain.deployment import Deployment
from whet.domain.trial import Watch
from whet.domain.version import CURRENT, digest_of
from whet.kit import Kit
from whet.phases.deploy.traffic import Counted, refused, stretched
from whet.statistics.terms import Terms
from whet.statistics.watch import decide_watch
from whet.store.executions import Executions
from whet.store.versions import Versions

LOOK_SECONDS = 0.25


class Watcher:
    def __init__(
        self, kit: Kit, deployment: Deployment, permitted: Callable[[], None], taken_back: Callable[[], str]
    ) -> None:
        """`taken_back` says by whom and why a person took it back meanwhile; empty while nobody did."""
        self._seconds, self._progress, self._git = kit.policy.deploy.watch_seconds, kit.progress, kit.git
        self._deployment, self._permitted, self._taken_back = deployment, permitted, taken_back
        self._versions, self._executions = Versions(kit.state), Executions(kit.state)

    def run(self, modules: Mapping[str, str], signature: str) -> Watch:
        """`modules` by path. `signature` is the failure that the deployment was to mend, as the application names it; it
        may be empty."""
        decision = self._follow(modules, signature)
        return Watch(
            deployment=self._deployment.id,
            state=decision.state,
            why=decision.why,
            figures=decision.figures,
            began=self._deployment.at,
            ended=now(),
        )

    def _follow(self, modules: Mapping[str, str], signature: str) -> Decision:
        after = self._deployment.after
        deployed = {module: digest_of(self._git.read(after, path) or b"") for path, module in modules.items()}
        while True:
            self._permitted()
            if why := self._taken_back():
                return Decision(State.ROLLBACK, why)
            passed = (now() - self._deployment.at).total_seconds()
            decision = self._look(deployed, signature, time_is_up=passed >= self._seconds)
            if decision.state is not State.HOLD:
                return decision
            time.sleep(LOOK_SECONDS)

    def _look(self, deployed: Mapping[str, str], signature: str, *, time_is_up: bool) -> Decision:
        """`deployed` are digests by module. Once another version is in a place, its calls say nothing about this one."""
        found = [manifest for module in deployed if (manifest := self._versions.manifest(module))]
        if replaced := [one.module for one in found if one.current.digest != deployed[one.module]]:
            return Decision(State.INCONCLUSIVE, f"another version took its place: {', '.join(replaced)}")
        if why := refused(self._versions, deployed):
            return Decision(State.ROLLBACK, why)
        counted = Counted(self._executions, deployed, self._deployment.at)
        since = counted.traffic([one.current.short for one in found], CURRENT)
        self._progress.advance("watching, calls since", since.calls, 0)
        if not since.calls:
            ends = time_is_up or not self._versions.running()
            why = "no call since the deployment, so nothing speaks for or against it"
            return Decision(State.INCONCLUSIVE if ends else State.HOLD, why)
        ran_before = [one.previous[-1].short for one in found if one.previous]
        before = Counted(self._executions, deployed).traffic(ran_before, CURRENT)
        limit, terms = before.slow_above(), Terms()
        return decide_watch(
            before.arm(limit),
            since.arm(stretched(limit, terms.latency_margin)),
            since.failures.get(signature, 0),
            terms,
            time_is_up=time_is_up,
        )
