"""One look at the two arms of a trial: the calls that the old version answered, and the candidate's."""

from collections.abc import Sequence
from datetime import datetime

from whet.domain.decision import Decision, State
from whet.domain.version import CANDIDATE, CONTROL, Manifest, Mode
from whet.kit import Kit
from whet.phases.deploy.traffic import Counted, refused
from whet.statistics.ab import decide_ab
from whet.statistics.canary import decide_canary
from whet.statistics.terms import Terms
from whet.store.executions import Executions
from whet.store.versions import Versions


class Arms:
    def __init__(self, kit: Kit, mode: Mode, share: float) -> None:
        """A canary has to be no worse, the candidate of an A/B trial better."""
        self._decide = decide_ab if mode is Mode.AB else decide_canary
        self._share, self._progress = share, kit.progress
        self._versions, self._executions = Versions(kit.state), Executions(kit.state)

    def look(self, manifests: Sequence[Manifest], began: datetime, *, time_is_up: bool) -> Decision:
        wanted = {one.module: one.candidate.digest for one in manifests if one.candidate}
        if why := refused(self._versions, wanted):
            return Decision(State.ROLLBACK, why)
        counted = Counted(self._executions, wanted, began)
        old = counted.traffic([one.current.short for one in manifests], CONTROL)
        new = counted.traffic([digest[:16] for digest in wanted.values()], CANDIDATE)
        self._progress.advance("calls of the candidate", new.calls, 0)
        limit = old.slow_above()
        return self._decide(old.arm(limit), new.arm(limit), self._share, Terms(), time_is_up=time_is_up)
