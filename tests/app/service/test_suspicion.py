"""Trouble that began after a change, in reports and probes; earlier trouble and that of other files is none."""

from datetime import timedelta
from pathlib import Path

import pytest

from whet.app.service.suspicion import suspicion
from whet.config import SourcesPolicy
from whet.domain.clock import now
from whet.domain.reported_event import Breakdown, EventKind, ReportedEvent
from whet.store.events import Events

SINCE = now() - timedelta(hours=1)


def event(minute: int, *, failed: bool = True, file: str = "/srv/shop/cart.py") -> ReportedEvent:
    """Return an event `minute` minutes after the change; a failure was raised in a library that `file` called."""
    frames = ((file, "total", 3), ("/srv/.venv/lib/python3.11/site-packages/money.py", "add", 9))
    return ReportedEvent(
        kind=EventKind.SPAN,
        subject="shop",
        at=SINCE + timedelta(minutes=minute),
        identity=f"{minute}",
        failed=failed,
        breakdown=Breakdown(exception="KeyError", frames=frames) if failed else None,
        signature="v1-a" if failed else "",
    )


def found(state: Path, source: str, *events: ReportedEvent) -> str:
    Events(state).take(source, events)
    return suspicion(Events(state), ("shop/cart.py", "shop/till.py"), SourcesPolicy(), SINCE)


def test_nothing_is_suspected_where_nothing_was_reported(tmp_path: Path) -> None:
    assert found(tmp_path, "otlp") == ""


@pytest.mark.parametrize("source", ["traces", "events", "otlp"])
def test_a_new_failure_in_a_changed_file_is_suspected(tmp_path: Path, source: str) -> None:
    assert (
        found(tmp_path, source, *map(event, (1, 2, 3)))
        == "KeyError in shop/cart.py was reported 3 times, and never before"
    )


@pytest.mark.parametrize(
    "events",
    [
        [event(-90), event(1), event(2), event(3)],
        [event(1), event(2)],
        [event(minute, file="/srv/shop/other.py") for minute in (1, 2, 3)],
    ],
)
def test_an_earlier_a_rare_and_another_files_failure_are_not(tmp_path: Path, events: list[ReportedEvent]) -> None:
    assert found(tmp_path, "otlp", *events) == ""


def test_a_probe_that_was_well_and_fails_since_is_suspected(tmp_path: Path) -> None:
    text = found(tmp_path, "health", event(-1, failed=False), *map(event, (1, 2, 3)))
    assert text == f"the probe shop was well and has failed since {event(1).at:%H:%M} UTC"


@pytest.mark.parametrize("before", [[], [event(-2, failed=False), event(-1)]])
def test_a_probe_that_is_new_or_failed_before_the_change_is_not(tmp_path: Path, before: list[ReportedEvent]) -> None:
    assert found(tmp_path, "health", *before, *map(event, (1, 2, 3))) == ""
