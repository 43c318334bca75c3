"""A candidate on a share of the real calls, looked at until it is shown to be worse, or good enough, or time is up.

Nothing here remembers anything: who looks again after a crash finds the trial running and its calls counted.
"""

import time
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime, timedelta

from whet.domain.clock import now
from whet.domain.decision import Decision, State
from whet.domain.deployment import Deployment
from whet.domain.trial import Trial
from whet.domain.version import CANDIDATE, CONTROL, Manifest, Mode, Rollout, Split
from whet.phases.deploy.traffic import refused, traffic
from whet.phases.kit import Kit
from whet.statistics.canary import decide_canary
from whet.statistics.terms import Terms
from whet.store.executions import Executions
from whet.store.versions import Cause, Versions

LOOK_SECONDS = 0.25
_GRACE_SECONDS = 5


class Canary:
    def __init__(self, kit: Kit, permitted: Callable[[], None]) -> None:
        self._git, self._policy, self._progress = kit.git, kit.policy.deploy, kit.progress
        self._versions, self._executions = Versions(kit.state), Executions(kit.state)
        self._permitted = permitted

    def run(self, staged: Deployment, modules: Mapping[str, str]) -> Trial:
        """`modules` by path. Whatever ends it, the candidate gets no calls afterwards: a good one is published by the
        deployment that follows, a bad one not at all."""
        try:
            manifests = [self._start(staged, path, module) for path, module in modules.items()]
            began = max(_counted_from(one, one.candidate) for one in manifests if one.candidate)
            decision = self._follow(manifests, began)
        finally:
            for module in modules.values():
                if self._versions.manifest(module):
                    self._versions.end_trial(module)
        return Trial(
            proposal=staged.proposal,
            deployment=staged.id,
            modules=tuple(modules.values()),
            share=self._policy.canary_share,
            state=decision.state,
            why=decision.why,
            figures=decision.figures,
            began=began,
            ended=now(),
        )

    def _start(self, staged: Deployment, path: str, module: str) -> Manifest:
        known = self._versions.manifest(module)
        if known and known.candidate and known.candidate.deployment == staged.id:
            return known
        before, after = self._git.read(staged.before, path) or b"", self._git.read(staged.after, path) or b""
        until = now() + timedelta(minutes=1, seconds=self._policy.canary_seconds + _GRACE_SECONDS)
        split = Split(mode=Mode.CANARY, share=self._policy.canary_share, salt=staged.id, until=until.timestamp())
        cause = Cause(why=staged.proposal, deployment=staged.id, at=now())
        return self._versions.start_trial(module, path, before, after, split, cause)

    def _follow(self, manifests: Sequence[Manifest], began: datetime) -> Decision:
        while True:
            self._permitted()
            passed = (now() - began).total_seconds()
            decision = self._look(manifests, began, time_is_up=passed >= self._policy.canary_seconds)
            if decision.state is not State.HOLD:
                return decision
            time.sleep(LOOK_SECONDS)

    def _look(self, manifests: Sequence[Manifest], began: datetime, *, time_is_up: bool) -> Decision:
        wanted = {one.module: one.candidate.digest for one in manifests if one.candidate}
        if why := refused(self._versions, wanted):
            return Decision(State.ROLLBACK, why)
        old = traffic(self._executions, wanted, [one.current.short for one in manifests], CONTROL, began)
        new = traffic(self._executions, wanted, [digest[:16] for digest in wanted.values()], CANDIDATE, began)
        self._progress.advance("canary, calls of the candidate", new.calls, 0)
        limit = old.slow_above()
        return decide_canary(old.arm(limit), new.arm(limit), self._policy.canary_share, Terms(), time_is_up=time_is_up)


def _counted_from(known: Manifest, rollout: Rollout) -> datetime:
    """Calls are summed by the minute. Where another trial ran in this one, its calls are in the sum: then from the next."""
    at = datetime.fromisoformat(rollout.at)
    minute = at.replace(second=0, microsecond=0)
    if known.trial_ended and datetime.fromisoformat(known.trial_ended) >= minute - timedelta(seconds=_GRACE_SECONDS):
        return minute + timedelta(minutes=1)
    return at
