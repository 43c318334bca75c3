"""What was reported since the last look, and calls for another one."""

import socket
from datetime import timedelta
from pathlib import Path

import pytest

from tests.phases.observe.test_windows import hour
from tests.support import MakeRepo
from whet.app.service.alarms import Alarm, alarm
from whet.app.service.watched_repository import WatchedRepository
from whet.config import parse
from whet.domain.clock import now
from whet.domain.reported_event import EventKind, ReportedEvent
from whet.domain.trigger import TriggerKind
from whet.store.events import Events
from whet.store.executions import Executions

PROBE = '[[sources.health]]\nname = "shop"\nurl = "{url}"\n'
POLICY = parse(PROBE.format(url="http://127.0.0.1/").encode())
LOOKED_AT = now() - timedelta(minutes=60)
"""All minutes below are after this look; negative ones are before it."""


def raised(state: Path, source: str, **minutes: bool) -> Alarm | None:
    """Return the alarm after these events: the names are `at_5` for minute 5 and `before_5`; True is a failure."""
    events = []
    for name, failed in minutes.items():
        word, _, number = name.partition("_")
        at = LOOKED_AT + timedelta(minutes=int(number) if word == "at" else -int(number))
        signature = "v1-a" if failed else ""
        event = ReportedEvent(
            kind=EventKind.SPAN, subject="shop", at=at, identity=name, failed=failed, signature=signature
        )
        events.append(event)
    Events(state).take(source, events)
    return alarm(state, POLICY, LOOKED_AT)


def test_a_probe_that_begins_to_fail_three_times_in_a_row_is_a_breach(tmp_path: Path) -> None:
    found = raised(tmp_path, "health", before_2=False, before_1=True, at_1=True, at_2=True)
    assert found == Alarm(TriggerKind.HEALTH, "the probe shop failed 3 times in a row")


@pytest.mark.parametrize(
    "minutes",
    [
        {"at_1": True, "at_2": True},
        {"at_1": True, "at_2": True, "at_3": False, "at_4": True},
        {"before_3": True, "before_2": True, "before_1": True, "at_1": True},  # the last look saw it
    ],
)
def test_a_probe_that_recovered_or_that_the_last_look_saw_failing_is_none(
    tmp_path: Path, minutes: dict[str, bool]
) -> None:
    assert raised(tmp_path, "health", **minutes) is None


def test_a_reported_failure_that_becomes_a_pattern_is_an_alarm_once(tmp_path: Path) -> None:
    assert raised(tmp_path, "otlp", before_1=True, at_1=True) is None
    found = raised(tmp_path, "otlp", at_2=True)
    assert found == Alarm(TriggerKind.PATTERN, "shop was reported to fail in the same way 3 times")
    assert alarm(tmp_path, POLICY, LOOKED_AT + timedelta(minutes=3)) is None


def test_a_tool_that_has_been_worse_for_three_hours_is_an_alarm_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = tuple(hour(number, errors=400 if number >= 8 else 0) for number in range(11))
    monkeypatch.setattr(Executions, "rollups", lambda *_, **__: rows)
    found = alarm(tmp_path, POLICY, rows[9].began_at)
    assert found is not None
    assert found.kind is TriggerKind.PATTERN
    assert "became worse: 40.0% of its calls fail" in found.reason
    assert alarm(tmp_path, POLICY, rows[10].began_at) is None


def test_the_service_asks_an_address_between_two_looks(make_repo: MakeRepo, monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        closed = f"127.0.0.1:{server.getsockname()[1]}"
    monkeypatch.setenv("WHET_HEALTH_HOSTS", closed)
    repo = make_repo({"m.py": "", "whet.toml": PROBE.format(url=f"http://{closed}/"), ".gitignore": ".whet/\n"})
    watched = WatchedRepository(repo.root, lambda _: None)
    try:
        watched.tick(may_start=False)
        watched._probes.close()
    finally:
        watched.close()
    [(probe, _, failed)] = Events(repo.root / ".whet").answers("health", LOOKED_AT)
    assert (probe, failed) == ("shop", True)
