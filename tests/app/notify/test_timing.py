"""Quiet hours and the time of the digest."""

from datetime import datetime

import pytest

from whet.app.notify.timing import digest_is_due, fold, is_quiet, sendable
from whet.domain.notice import Notice, NoticeEvent


def at(text: str) -> datetime:
    return datetime.fromisoformat(f"2026-03-04T{text}:00").astimezone()


@pytest.mark.parametrize(
    ("hours", "clock", "quiet"),
    [
        ("", "03:00", False),
        ("22:00-07:00", "21:59", False),
        ("22:00-07:00", "22:00", True),
        ("22:00-07:00", "06:59", True),
        ("22:00-07:00", "07:00", False),
        ("12:00-13:00", "12:30", True),
        ("12:00-13:00", "13:00", False),
    ],
)
def test_quiet_hours_may_cross_midnight(hours: str, clock: str, quiet: bool) -> None:
    assert is_quiet(hours, at(clock)) is quiet


def test_quiet_hours_delay_all_but_urgent_notices() -> None:
    notices = [Notice(key=event.value, event=event, subject="s", title="t", text="") for event in NoticeEvent]
    kept = sendable(notices, "00:00-23:59", at("12:00"))
    assert [notice.event for notice in kept] == [NoticeEvent.ROLLED_BACK, NoticeEvent.DAMAGED]
    assert len(fold(notices, len(notices))) == len(notices)
    assert len(fold(notices, 5)) == 1


@pytest.mark.parametrize(
    ("last", "clock", "due"), [("08:00", "08:59", False), ("08:00", "09:00", True), ("09:01", "23:00", False)]
)
def test_the_digest_is_due_once_its_time_has_passed(last: str, clock: str, due: bool) -> None:
    assert digest_is_due("09:00", at(last), at(clock)) is due
    assert not digest_is_due("", at(last), at(clock))
