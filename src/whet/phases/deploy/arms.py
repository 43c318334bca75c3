"""`ArmComparison`: compares the two arms of a canary or A/B trial, the old version's calls and the candidate's."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from whet.domain.decision import Decision, State
from whet.domain.version import CANDIDATE, CONTROL, Manifest, Mode
from whet.kit import Kit
from whet.phases.deploy.traffic import TrafficCounts, refusal_of, slow_limit_before, terms_of
from whet.statistics.ab import decide_ab
from whet.statistics.by_key import is_by_key
from whet.statistics.canary import decide_canary
from whet.statistics.looks import Looks
from whet.store.executions import Executions
from whet.store.versions import Versions


class ArmComparison:
    """Decides a trial from the recorded totals of both arms.

    Where calls were divided by routing key, it looks only now and then, and remembers that: a process that continues an
    interrupted trial begins to count its looks again.
    """

    def __init__(self, kit: Kit, mode: Mode, share: float) -> None:
        # A canary must be no worse than the old version; the candidate of an A/B trial must be better.
        self._decide = decide_ab if mode is Mode.AB else decide_canary
        self._share, self._progress, self._terms = share, kit.progress, terms_of(kit.policy.deploy)
        self._versions, self._executions = Versions(kit.state), Executions(kit.state)
        self._looks = Looks()
        self._slow_limit: int | None = None
        self._has_limit = False

    def decide(self, manifests: Sequence[Manifest], began: datetime, *, time_is_up: bool) -> Decision:
        """Compare the calls since `began`. A process that refused the candidate decides against it."""
        candidates = {manifest.module: manifest.candidate.digest for manifest in manifests if manifest.candidate}
        if reason := refusal_of(self._versions, candidates):
            return Decision(State.ROLLBACK, reason)
        counts = TrafficCounts(self._executions, candidates, began)
        old = counts.traffic([manifest.current.short for manifest in manifests], CONTROL)
        new = counts.traffic([digest[:16] for digest in candidates.values()], CANDIDATE)
        self._progress.advance("calls of the candidate", new.calls, 0)
        if not self._has_limit:
            self._slow_limit, self._has_limit = slow_limit_before(self._executions, candidates, began), True
        control, candidate = old.arm(self._slow_limit), new.arm(self._slow_limit)
        if not is_by_key(control, candidate):
            return self._decide(control, candidate, self._share, self._terms, time_is_up=time_is_up)
        if not self._looks.is_due(control.calls + candidate.calls, time_is_up=time_is_up):
            return Decision(State.HOLD, "the next look is after more calls")
        terms = replace(self._terms, alpha=self._looks.part(self._terms.alpha))
        return self._decide(control, candidate, self._share, terms, time_is_up=time_is_up)
