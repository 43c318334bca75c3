"""Trouble in reports and health probes that began after a change. They do not say which commit ran, so a person decides."""

from collections.abc import Collection, Iterator
from datetime import datetime

from whet.app.service.alarms import failing_probes
from whet.config import SourcesPolicy
from whet.domain.plural import count
from whet.domain.reported_event import Breakdown
from whet.intake.frames import is_in_app, repository_path
from whet.store.events import KEPT, Events

_REPORTING = ("traces", "events", "otlp")


def suspicion(events: Events, paths: Collection[str], policy: SourcesPolicy, since: datetime) -> str:
    """Return the trouble that came up since a change of these paths; empty if there is none."""
    return next(_troubles(events, paths, policy, since), "") if events.exist else ""


def _troubles(events: Events, paths: Collection[str], policy: SourcesPolicy, since: datetime) -> Iterator[str]:
    well = {probe for probe, at, failed in events.answers("health", since - KEPT) if at <= since and not failed}
    for probe, failed_at in failing_probes(events, since - KEPT).items():
        if probe in well and failed_at[0] > since and len(failed_at) >= policy.pattern:
            yield f"the probe {probe} was well and has failed since {failed_at[0]:%H:%M} UTC"
    for source in _REPORTING:
        for group in events.failure_groups(source, since - KEPT, policy.pattern):
            if group.first_at > since:
                [newest] = events.failures(source, group.signature, since, 1)
                if newest.breakdown and (path := _failing_file(newest.breakdown, paths)):
                    error = newest.breakdown.exception or newest.subject
                    yield f"{error} in {path} was reported {count(group.failures, 'time')}, and never before"


def _failing_file(breakdown: Breakdown, paths: Collection[str]) -> str:
    """Return the changed file that the innermost frame of the project names; empty if it is another file."""
    own = [file for file, _, _ in breakdown.frames if is_in_app(file)]
    return repository_path(own[-1], paths) if own else ""
