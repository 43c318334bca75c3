"""Signals for failures that reports repeat: one group per signature."""

from collections.abc import Collection, Iterator
from datetime import datetime

from whet.config import SourcesPolicy
from whet.domain.reported import RecurringFailure
from whet.domain.reported_event import ReportedEvent
from whet.domain.signal import Signal
from whet.intake.frames import innermost
from whet.intake.skips import Skips
from whet.store.events import Events, FailureGroup

MOST_GROUPS = 50
MOST_SIGNALS = 5
_WHY_NOT = (
    "a report shows it, and no test does, so no fix could be proved: write a failing test, or `whet suggest` a case"
)


def recurring_failures(
    source: str, events: Events, since: datetime, policy: SourcesPolicy, paths: Collection[str], skips: Skips
) -> Iterator[Signal]:
    """Yield the newest failures of each signature that was reported often enough; the first one carries the facts."""
    groups = events.failure_groups(source, since, policy.pattern)
    if len(groups) > MOST_GROUPS:
        skips.add("", "failure", f"only the {MOST_GROUPS} most frequent ones are shown", len(groups) - MOST_GROUPS)
    for group in groups[:MOST_GROUPS]:
        newest, *earlier = events.failures(source, group.signature, since, max(MOST_SIGNALS, policy.pattern))
        reports = events.number(source, newest.subject, since)
        yield Signal.of(source, newest.subject, _facts(newest, group, reports, paths), newest.at)
        for event in earlier:
            yield Signal.of(source, event.subject, RecurringFailure(signature=group.signature), event.at)


def _facts(event: ReportedEvent, group: FailureGroup, reports: int, paths: Collection[str]) -> RecurringFailure:
    breakdown = event.breakdown
    if breakdown is None:
        return RecurringFailure(signature=group.signature, failures=group.failures, reports=reports, why_not=_WHY_NOT)
    path, function, line = innermost(breakdown.frames, paths) or ("", "", 1)
    return RecurringFailure(
        signature=group.signature,
        exception=breakdown.exception,
        message=breakdown.message,
        failures=group.failures,
        reports=max(reports, group.failures),
        first_at=group.first_at.isoformat(timespec="seconds"),
        path=path,
        line=line,
        function=function,
        inputs=breakdown.inputs,
        why_not=_WHY_NOT,
    )
