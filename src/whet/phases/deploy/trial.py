"""`TrialRunner`: tries a candidate on real calls until it is proven worse or good enough, or time is up.

It keeps no state of its own: after a crash, a new runner finds the trial in the manifest and its calls in the records.
"""

import time
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Protocol

from whet.domain.clock import now
from whet.domain.decision import Decision, State
from whet.domain.deployment import Deployment
from whet.domain.trial import Trial, TrialBegun
from whet.domain.version import Manifest, Mode, Rollout, Split
from whet.errors import BaseMoved, Internal
from whet.kit import Kit
from whet.phases.deploy.arms import ArmComparison
from whet.phases.deploy.shadow import ShadowComparison
from whet.store.versions import Cause, Versions

LOOK_SECONDS = 0.25
_REST = 5
"""A look that takes long, at a long trial with many keys, is followed by a rest of so many times its length."""
_GRACE_SECONDS = 5


class TrialComparison(Protocol):
    """Compares the candidate with the old version, as far as the calls go."""

    def decide(self, manifests: Sequence[Manifest], began: datetime, *, time_is_up: bool) -> Decision: ...


class TrialRunner:
    """Runs the trial of one staged deployment."""

    def __init__(
        self,
        kit: Kit,
        staged: Deployment,
        permitted: Callable[[], None],
        rolled_back: Callable[[], str],
        began: Callable[[TrialBegun], None] = lambda _begun: None,
    ) -> None:
        """`permitted` raises if the trial must stop. `rolled_back` returns who rolled it back and why, or ''. `began` is told
        when the first application may use the candidate."""
        self._kit, self._git, self._policy = kit, kit.git, kit.policy.deploy
        self._versions = Versions(kit.state)
        self._staged, self._permitted, self._rolled_back = staged, permitted, rolled_back
        if self._policy.trial is None:
            raise Internal(f"the strategy {self._policy.strategy} has no trial")
        self._mode = self._policy.trial
        self._began = began
        self._share = {Mode.CANARY: self._policy.canary_share, Mode.AB: 0.5, Mode.SHADOW: 0.0}[self._mode]

    def run(self, modules: Mapping[str, str]) -> Trial:
        """Run the trial of these modules (path -> name) and return its result.

        However the trial ends, the candidate gets no calls afterwards. A good candidate is published by the deployment
        that follows.
        """
        began = now()
        try:
            if reason := self._rolled_back():  # by a person, while no process was running the trial
                decision = Decision(State.ROLLBACK, reason)
            else:
                manifests = [self._start(path, module) for path, module in modules.items()]
                began = max(
                    self._counted_from(manifest, manifest.candidate) for manifest in manifests if manifest.candidate
                )
                decision = self._wait_for_decision(manifests, began)
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
        """Start the trial of a module, or return its manifest if the trial is running already."""
        staged, manifest = self._staged, self._versions.manifest(module)
        if manifest and manifest.candidate and manifest.candidate.deployment == staged.id:
            return manifest
        before, after = self._git.read(staged.before, path) or b"", self._git.read(staged.after, path) or b""
        begins = now()
        until = begins + timedelta(minutes=1, seconds=self._policy.trial_limit_seconds + _GRACE_SECONDS)
        self._began(
            TrialBegun(
                proposal=staged.proposal,
                deployment=staged.id,
                mode=self._mode,
                share=self._share,
                at=begins,
                until=until,
            )
        )
        keys = dict(self._policy.keys)
        split = Split(mode=self._mode, share=self._share, salt=staged.id, keys=keys, until=until.timestamp())
        cause = Cause(why=staged.proposal, deployment=staged.id, at=now())
        return self._versions.start_trial(module, path, before, after, split, cause)

    def _counted_from(self, manifest: Manifest, rollout: Rollout) -> datetime:
        if self._mode is Mode.SHADOW:  # compares single calls, whose exact times are recorded
            return datetime.fromisoformat(rollout.at)
        return counted_from(manifest, rollout)

    def _wait_for_decision(self, manifests: Sequence[Manifest], began: datetime) -> Decision:
        comparison = self._comparison()
        while True:
            self._permitted()
            replaced = self._replaced(manifests)  # read first: a rollback records its intent, then ends the trial
            if reason := self._rolled_back():
                return Decision(State.ROLLBACK, reason)
            if replaced:
                raise BaseMoved(f"another version of {replaced} took its place while it was tried")
            looking = time.monotonic()
            passed = (now() - began).total_seconds()
            decision = comparison.decide(manifests, began, time_is_up=passed >= self._policy.trial_limit_seconds)
            if decision.state is not State.HOLD:
                return decision
            looked = time.monotonic() - looking
            time.sleep(max(LOOK_SECONDS, _REST * looked))

    def _replaced(self, manifests: Sequence[Manifest]) -> str:
        """Return a module whose trial another deployment or a rollback has ended; an empty string if all are on trial."""
        for module in (manifest.module for manifest in manifests):
            manifest = self._versions.manifest(module)
            if manifest is None or manifest.candidate is None or manifest.candidate.deployment != self._staged.id:
                return module
        return ""

    def _comparison(self) -> TrialComparison:
        if self._mode is Mode.SHADOW:
            return ShadowComparison(self._kit, self._staged)
        return ArmComparison(self._kit, self._mode, self._share)


def counted_from(manifest: Manifest, rollout: Rollout) -> datetime:
    """Return the time from which the calls of a trial are counted.

    Calls are summed by the minute. If another trial ended in the same minute, the totals include its calls, so counting
    begins with the next minute.
    """
    at = datetime.fromisoformat(rollout.at)
    minute = at.replace(second=0, microsecond=0)
    ended = manifest.trial_ended
    if ended and datetime.fromisoformat(ended) >= minute - timedelta(seconds=_GRACE_SECONDS):
        return minute + timedelta(minutes=1)
    return at
