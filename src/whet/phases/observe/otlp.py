"""Signals from what applications export over OTLP; `whet.intake.otlp` received it."""

from datetime import timedelta

from whet.domain.clock import now
from whet.domain.signal import Signal
from whet.intake.skips import Skips
from whet.kit import Kit
from whet.phases.observe.metrics import changed_metrics
from whet.phases.observe.recurring import recurring_failures
from whet.store.events import Events


class Otlp:
    """The signal source `otlp`: reads the received events of the window."""

    def __init__(self, kit: Kit) -> None:
        self._kit, self._policy = kit, kit.policy.sources
        self.skipped: tuple[str, ...] = ()

    def observe(self, commit: str) -> tuple[Signal, ...]:
        events, skips = Events(self._kit.state), Skips()
        if not events.exist:
            return ()
        at = now()
        since = at - timedelta(hours=self._policy.window_hours)
        paths = frozenset(entry.path for entry in self._kit.git.entries(self._kit.git.tree_of(commit)))
        recurring = recurring_failures("otlp", events, since, self._policy, paths, skips)
        signals = (*recurring, *changed_metrics("otlp", events, since, at, self._policy, skips))
        self.skipped = skips.sentences()
        return signals
