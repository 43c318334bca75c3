"""`ArmComparison`: compares the two arms of a canary or A/B trial, the old version's calls and the candidate's."""

from collections.abc import Sequence
from datetime import datetime

from whet.domain.decision import Decision, State
from whet.domain.version import CANDIDATE, CONTROL, Manifest, Mode
from whet.kit import Kit
from whet.phases.deploy.traffic import TrafficCounts, refusal_of
from whet.statistics.ab import decide_ab
from whet.statistics.canary import decide_canary
from whet.statistics.terms import Terms
from whet.store.executions import Executions
from whet.store.versions import Versions


class ArmComparison:
    """Decides a trial from the recorded totals of both arms."""

    def __init__(self, kit: Kit, mode: Mode, share: float) -> None:
        # A canary must be no worse than the old version; the candidate of an A/B trial must be better.
        self._decide = decide_ab if mode is Mode.AB else decide_canary
        self._share, self._progress = share, kit.progress
        self._versions, self._executions = Versions(kit.state), Executions(kit.state)

    def decide(self, manifests: Sequence[Manifest], began: datetime, *, time_is_up: bool) -> Decision:
        """Compare the calls since `began`. A process that refused the candidate decides against it."""
        candidates = {manifest.module: manifest.candidate.digest for manifest in manifests if manifest.candidate}
        if reason := refusal_of(self._versions, candidates):
            return Decision(State.ROLLBACK, reason)
        counts = TrafficCounts(self._executions, candidates, began)
        old = counts.traffic([manifest.current.short for manifest in manifests], CONTROL)
        new = counts.traffic([digest[:16] for digest in candidates.values()], CANDIDATE)
        self._progress.advance("calls of the candidate", new.calls, 0)
        limit = old.slow_above()
        return self._decide(old.arm(limit), new.arm(limit), self._share, Terms(), time_is_up=time_is_up)
