"""Reasons to look although nothing was pushed: what applications and probes reported since the last look."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import groupby
from pathlib import Path

from whet.app.service.signs import most_failures
from whet.config import Config
from whet.domain.clock import now
from whet.domain.finding import MINIMUM_SIGNALS
from whet.domain.payload import DegradedWindow
from whet.domain.plural import count
from whet.domain.signal import Signal
from whet.domain.trigger import TriggerKind
from whet.errors import StateUnusable
from whet.phases.observe.windows import worse_windows
from whet.store.codec import decode
from whet.store.events import Events
from whet.store.executions import Executions

_HISTORY = timedelta(days=7)


@dataclass(frozen=True)
class Alarm:
    """A reason to look, in words, and the kind of the trigger."""

    kind: TriggerKind
    reason: str


def alarm(state: Path, policy: Config, since: datetime) -> Alarm | None:
    """Return the first reason to look that did not exist at the last look, at `since`; None if there is none.

    A file that cannot be read gives no reason; the next look says that it cannot be read.
    """
    try:
        return next(_alarms(state, policy, since), None)
    except StateUnusable:
        return None


def _alarms(state: Path, policy: Config, since: datetime) -> Iterator[Alarm]:
    events, sources = Events(state), policy.observe.sources
    window = now() - timedelta(hours=policy.sources.window_hours)
    if "health" in sources and policy.sources.health and events.exist:
        for probe, failed_at in failing_probes(events, window).items():
            if len(failed_at) >= policy.sources.pattern and failed_at[policy.sources.pattern - 1] > since:
                yield Alarm(TriggerKind.HEALTH, f"the probe {probe} failed {count(len(failed_at), 'time')} in a row")
    if "tools" in sources:
        often = most_failures(state, since)
        if often >= policy.service.failures:
            yield Alarm(TriggerKind.PATTERN, f"a tool failed in the same way {count(often, 'time')}")
        yield from _degraded(Executions(state), since)
    if "otlp" in sources and events.exist:
        for subject, failures in events.risen("otlp", window, since, policy.sources.pattern):
            reported = f"{subject} was reported to fail in the same way {count(failures, 'time')}"
            yield Alarm(TriggerKind.PATTERN, reported)


def failing_probes(events: Events, since: datetime) -> dict[str, list[datetime]]:
    """Return, for each probe that fails now, the times at which it failed since its last good answer, oldest first."""
    failing: dict[str, list[datetime]] = {}
    for probe, at, failed in events.answers("health", since):
        if failed:
            failing.setdefault(probe, []).append(at)
        else:
            failing.pop(probe, None)
    return failing


def _degraded(executions: Executions, since: datetime) -> Iterator[Alarm]:
    """Yield an alarm for each tool that has enough worse hours for a finding now, and had not at the last look."""
    signals = worse_windows(executions.rollups(since=now() - _HISTORY), {})
    degraded = [signal for signal in signals if signal.kind == DegradedWindow.kind]
    for tool, group in groupby(degraded, key=lambda signal: signal.subject):
        hours: list[Signal] = list(group)
        if len(hours) >= MINIMUM_SIGNALS > sum(hour.at <= since for hour in hours):
            yield Alarm(
                TriggerKind.PATTERN, f"{tool} became worse: {decode(DegradedWindow, hours[-1].payload).summary}"
            )
