"""A candidate on real calls, looked at until it is shown to be worse, or good enough, or time is up.

Nothing here remembers anything: who looks again after a crash finds the trial running and its calls counted.
"""

import time
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Protocol

from whet.domain.clock import now
from whet.domain.decision import Decision, State
from whet.domain.deployment import Deployment
from whet.domain.trial import Trial
from whet.domain.version import Manifest, Mode, Rollout, Split
from whet.errors import BaseMoved, Internal
from whet.kit import Kit
from whet.phases.deploy.arms import Arms
from whet.phases.deploy.shadow import Shadow
from whet.store.versions import Cause, Versions

LOOK_SECONDS = 0.25
_GRACE_SECONDS = 5


class Look(Protocol):
    def look(self, manifests: Sequence[Manifest], began: datetime, *, time_is_up: bool) -> Decision: ...


class Trier:
    def __init__(
        self, kit: Kit, staged: Deployment, permitted: Callable[[], None], taken_back: Callable[[], str]
    ) -> None:
        """`taken_back` says by whom and why a person ended it meanwhile; empty while nobody did."""
        self._kit, self._git, self._policy = kit, kit.git, kit.policy.deploy
        self._versions = Versions(kit.state)
        self._staged, self._permitted, self._taken_back = staged, permitted, taken_back
        if self._policy.trial is None:
            raise Internal(f"{self._policy.strategy} tries nothing")
        self._mode = self._policy.trial
        self._share = {Mode.CANARY: self._policy.canary_share, Mode.AB: 0.5, Mode.SHADOW: 0.0}[self._mode]

    def run(self, modules: Mapping[str, str]) -> Trial:
        """`modules` by path. Whatever ends it, the candidate gets no calls afterwards: a good one is published by the
        deployment that follows, a bad one not at all."""
        try:
            manifests = [self._start(path, module) for path, module in modules.items()]
            began = max(self._counted_from(one, one.candidate) for one in manifests if one.candidate)
            decision = self._follow(manifests, began)
        finally:
            for module in modules.values():
                self._versions.end_trial(module, self._staged.id)
        return Trial(
            proposal=self._staged.proposal,
            deployment=self._staged.id,
            modules=tuple(modules.values()),
            share=self._share,
            state=decision.state,
            why=decision.why,
            figures=decision.figures,
            began=began,
            ended=now(),
            mode=self._mode,
        )

    def _start(self, path: str, module: str) -> Manifest:
        staged, known = self._staged, self._versions.manifest(module)
        if known and known.candidate and known.candidate.deployment == staged.id:
            return known
        before, after = self._git.read(staged.before, path) or b"", self._git.read(staged.after, path) or b""
        until = now() + timedelta(minutes=1, seconds=self._policy.trial_seconds + _GRACE_SECONDS)
        split = Split(mode=self._mode, share=self._share, salt=staged.id, until=until.timestamp())
        cause = Cause(why=staged.proposal, deployment=staged.id, at=now())
        return self._versions.start_trial(module, path, before, after, split, cause)

    def _counted_from(self, known: Manifest, rollout: Rollout) -> datetime:
        """A shadow goes by single calls, whose moments are known."""
        return datetime.fromisoformat(rollout.at) if self._mode is Mode.SHADOW else counted_from(known, rollout)

    def _follow(self, manifests: Sequence[Manifest], began: datetime) -> Decision:
        looking = self._looking()
        while True:
            self._permitted()
            if why := self._taken_back():
                return Decision(State.ROLLBACK, why)
            self._refuse_unless_on_trial(manifests)
            passed = (now() - began).total_seconds()
            decision = looking.look(manifests, began, time_is_up=passed >= self._policy.trial_seconds)
            if decision.state is not State.HOLD:
                return decision
            time.sleep(LOOK_SECONDS)

    def _refuse_unless_on_trial(self, manifests: Sequence[Manifest]) -> None:
        """A deployment or a rollback of the same module ends a trial: what was proved stood on another version."""
        for module in (one.module for one in manifests):
            known = self._versions.manifest(module)
            if known is None or known.candidate is None or known.candidate.deployment != self._staged.id:
                raise BaseMoved(f"another version of {module} took its place while it was tried")

    def _looking(self) -> Look:
        if self._mode is Mode.SHADOW:
            return Shadow(self._kit, self._staged)
        return Arms(self._kit, self._mode, self._share)


def counted_from(known: Manifest, rollout: Rollout) -> datetime:
    """Calls are summed by the minute. Where another trial ran in this one, its calls are in the sum: then from the next."""
    at = datetime.fromisoformat(rollout.at)
    minute = at.replace(second=0, microsecond=0)
    if known.trial_ended and datetime.fromisoformat(known.trial_ended) >= minute - timedelta(seconds=_GRACE_SECONDS):
        return minute + timedelta(minutes=1)
    return at
