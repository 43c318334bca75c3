"""Decide, from recorded facts alone, whether there is something to do in a repository now."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta

from whet.app.service.alarms import Alarm
from whet.app.service.facts import RepositoryFacts
from whet.config import ServicePolicy
from whet.domain.canonical import digest
from whet.domain.cycle_request import WEBHOOK
from whet.domain.plural import shorten
from whet.domain.trigger import TriggerKind


@dataclass(frozen=True, kw_only=True)
class Due:
    """A task of the service: a new cycle if `kind` is set, unfinished work if `begun` is, else a decision about a change
    that is followed.

    With `settles` the service first waits for a moment of quiet, because more of the same may follow at once.
    """

    reason: str
    kind: TriggerKind | None = None
    begun: bool = False
    requests: tuple[str, ...] = ()
    top: int = 0
    finding: str = ""
    settles: bool = False


def due(
    facts: RepositoryFacts,
    head: str,
    alarm: Callable[[datetime], Alarm | None],
    policy: ServicePolicy,
    now: datetime,
    followed: str = "",
) -> Due | None:
    """Return the most urgent thing to do; None if there is nothing.

    `alarm` returns what was reported since a time and calls for a look. `followed` says what has to be decided about a
    deployment that is followed.
    """
    if followed:
        return Due(reason=followed)
    if facts.unfinished:
        return Due(reason=f"continue {shorten(facts.unfinished, 3)}", begun=True)
    if any(request.via != WEBHOOK for request in facts.requests):
        return _requested(facts)
    if facts.own_cycles_today >= policy.cycles_per_day:
        return None
    if facts.requests:
        return _prompted(facts)
    if facts.last is None:
        return Due(reason="the first look", kind=TriggerKind.PERIODIC, settles=True)
    if head and facts.last.base and head != facts.last.base:
        return Due(reason=f"the branch moved to {head[:10]}", kind=TriggerKind.PUSH, settles=True)
    if now >= alarms_from(facts.last.at, policy) and (raised := alarm(facts.last.at)):
        return Due(reason=raised.reason, kind=raised.kind, settles=True)
    at = next_look_at(facts.last.at, policy, facts.last.cycle)
    return Due(reason="on schedule", kind=TriggerKind.PERIODIC) if at and now >= at else None


def _requested(facts: RepositoryFacts) -> Due:
    """Answer, with one cycle, the oldest request and all others that ask for the same."""
    people = [request for request in facts.requests if request.via != WEBHOOK]
    first = people[0]
    same = [request for request in people if (request.top, request.finding) == (first.top, first.finding)]
    reason = f"asked for by {first.actor} via {first.via}: {first.reason}"
    ids = tuple(request.id for request in same)
    return Due(reason=reason, kind=TriggerKind.HUMAN, requests=ids, top=first.top, finding=first.finding)


def _prompted(facts: RepositoryFacts) -> Due:
    """Answer the webhooks of a forge like a push: anybody can cause them, so the limits of the service hold."""
    ids = tuple(request.id for request in facts.requests)
    return Due(reason=facts.requests[0].reason, kind=TriggerKind.PUSH, requests=ids, settles=True)


def alarms_from(last_at: datetime, policy: ServicePolicy) -> datetime:
    """Return the time from which an alarm starts another look.

    A failure that cannot be fixed goes on, so that looks because of it must be rare.
    """
    return last_at + timedelta(seconds=policy.debounce_most_seconds)


def next_look_at(last_at: datetime, policy: ServicePolicy, seed: str) -> datetime | None:
    """Return the time of the next look by the schedule; None if there is no schedule.

    The jitter depends on `seed` alone, so that it is the same after a restart.
    """
    if policy.cron:
        from croniter import croniter  # loaded only where there is an expression

        at: datetime = croniter(policy.cron, last_at.astimezone()).get_next(datetime)
    elif policy.every_hours:
        at = last_at + timedelta(hours=policy.every_hours)
    else:
        return None
    share = int(digest(seed)[:8], 16) / 0xFFFFFFFF
    return at + timedelta(minutes=policy.jitter_minutes * share)


class Debounce:
    """Waits until a value has stayed the same for a while, but never longer than a ceiling."""

    def __init__(self) -> None:
        self._value, self._first_at, self._last_at = "", 0.0, 0.0

    def settled(self, value: str, clock: float, quiet_seconds: float, most_seconds: float) -> bool:
        if value != self._value:
            self._first_at = self._first_at or clock
            self._value, self._last_at = value, clock
        waited = clock - self._first_at
        return clock - self._last_at >= quiet_seconds or waited >= most_seconds

    def reset(self) -> None:
        self._value, self._first_at, self._last_at = "", 0.0, 0.0
