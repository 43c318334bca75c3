"""The decision when the service acts, on facts made up here."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from whet.app.service.alarms import Alarm
from whet.app.service.due import Debounce, due, next_look_at
from whet.app.service.facts import LastLook, RepositoryFacts
from whet.config import ServicePolicy
from whet.domain.cycle_request import CycleRequest
from whet.domain.trigger import TriggerKind
from whet.errors import BadConfig

AT = datetime(2026, 3, 2, 12, 0, tzinfo=UTC)
LOOK = LastLook(cycle="c-1", kind=TriggerKind.PUSH, reason="", at=AT, base="aaa", result="")
QUIET = RepositoryFacts(requests=(), unfinished=(), waiting=(), trials=(), on_forge=(), last=LOOK, own_cycles_today=0)
POLICY = ServicePolicy(jitter_minutes=0)


def request(identity: str, finding: str = "") -> CycleRequest:
    return CycleRequest(id=identity, reason="please", actor="ann", via="api", at=AT, finding=finding)


def kind_of(
    facts: RepositoryFacts, *, head: str = "aaa", failures: int = 0, after: timedelta, policy: ServicePolicy
) -> str:
    alarm = Alarm(TriggerKind.PATTERN, "a tool failed") if failures else None
    task = due(facts, head, lambda _: alarm, policy, AT + after)
    return "" if task is None else str(task.kind or "continue")


@pytest.mark.parametrize(
    ("change", "head", "failures", "hours", "expected"),
    [
        ({}, "aaa", 0, 1, ""),
        ({}, "bbb", 0, 1, "push"),
        ({}, "aaa", 3, 1, "pattern"),
        ({}, "aaa", 0, 25, "periodic"),
        ({"last": None}, "aaa", 0, 1, "periodic"),
        ({"requests": (request("q-1"),)}, "bbb", 3, 25, "human"),
        ({"unfinished": ("p-1",), "requests": (request("q-1"),)}, "bbb", 0, 1, "continue"),
        ({"own_cycles_today": 24}, "bbb", 3, 25, ""),
        ({"own_cycles_today": 24, "requests": (request("q-1"),)}, "aaa", 0, 1, "human"),
    ],
)
def test_the_most_urgent_thing_is_due(
    change: dict[str, object], head: str, failures: int, hours: float, expected: str
) -> None:
    facts = replace(QUIET, **change)  # type: ignore[arg-type]
    assert kind_of(facts, head=head, failures=failures, after=timedelta(hours=hours), policy=POLICY) == expected


def test_failures_that_go_on_start_a_look_only_after_the_ceiling_of_the_debounce() -> None:
    assert kind_of(QUIET, failures=99, after=timedelta(minutes=9), policy=POLICY) == ""
    assert kind_of(QUIET, failures=99, after=timedelta(minutes=11), policy=POLICY) == "pattern"


def test_requests_for_the_same_are_answered_by_one_cycle() -> None:
    facts = replace(QUIET, requests=(request("q-1"), request("q-2", "f-1"), request("q-3")))
    task = due(facts, "aaa", lambda _: None, POLICY, AT)
    assert task is not None
    assert task.requests == ("q-1", "q-3")


def test_cron_replaces_the_interval_and_no_schedule_means_no_look() -> None:
    at = next_look_at(AT, ServicePolicy(cron="30 4 * * *", jitter_minutes=0), "c-1")
    assert at is not None
    assert (at.astimezone().hour, at.astimezone().minute) == (4, 30)
    assert AT < at <= AT + timedelta(days=1)
    assert next_look_at(AT, ServicePolicy(every_hours=0), "c-1") is None


def test_jitter_is_the_same_after_a_restart_and_stays_below_its_limit() -> None:
    times = {next_look_at(AT, ServicePolicy(jitter_minutes=30), f"c-{number}") for number in range(50)}
    assert len(times) > 40
    for at in times:
        assert at is not None
        assert timedelta(0) <= at - AT - timedelta(hours=24) <= timedelta(minutes=30)
    assert next_look_at(AT, ServicePolicy(), "c-1") == next_look_at(AT, ServicePolicy(), "c-1")


@pytest.mark.parametrize("cron", ["every day", "* * * *", "99 * * * *", "* * * * * *"])
def test_a_wrong_cron_expression_is_refused_when_the_settings_are_read(cron: str) -> None:
    from whet.config import parse

    with pytest.raises(BadConfig, match="cron"):
        parse(f'[service]\ncron = "{cron}"\n'.encode())


def test_a_branch_that_keeps_moving_is_looked_at_after_the_ceiling() -> None:
    debounce = Debounce()
    settled = [debounce.settled(f"head {number}", 100.0 + 10 * number, 30, 600) for number in range(70)]
    assert settled.index(True) == 60


def test_a_branch_that_rests_is_looked_at_after_the_quiet_time() -> None:
    debounce = Debounce()
    assert not debounce.settled("a", 100.0, 30, 600)
    assert not debounce.settled("b", 120.0, 30, 600)
    assert not debounce.settled("b", 149.0, 30, 600)
    assert debounce.settled("b", 150.0, 30, 600)
    debounce.reset()
    assert not debounce.settled("c", 160.0, 30, 600)
