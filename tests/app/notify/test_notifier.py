"""Notifications: each event once, to real receivers, and a failure blocks nothing."""

import json
import sqlite3
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, timedelta
from pathlib import Path

import pytest

from tests.ledger.test_invariants import Scenario
from tests.receivers import Received, http_receiver, smtp_receiver
from tests.support import Repo
from whet.app.agent_notes.ask import ask_people
from whet.app.agent_notes.reply import reply_to
from whet.app.kill_switch import stop
from whet.app.notify import notices
from whet.app.notify.channels import Channel, channel_urls
from whet.app.notify.notices import ChainCheck
from whet.app.notify.notifier import Notifier
from whet.app.project import Project, open_project
from whet.app.service.heartbeat import Heartbeat, beat
from whet.domain.approval import Approval, Question, Tier
from whet.domain.clock import now
from whet.domain.lesson import Ending
from whet.domain.notice import URGENT, Delivery, NoticeEvent
from whet.errors import DamagedLedger, UsageError
from whet.store.store import FILE_NAME

pytestmark = pytest.mark.filterwarnings("ignore:'imghdr' is deprecated")  # apprise imports it


@pytest.fixture
def receiver() -> Iterator[Received]:
    with http_receiver() as received:
        yield received


def channel(receiver: Received) -> Channel:
    return Channel(f"json://user:secret-word@127.0.0.1:{receiver.port}/hook")


def ask(project: Project, proposal: str = "p-1", days: float = 7) -> None:
    """Record a proposal whose apply gate asks, until some days from now."""
    scenario = Scenario(proposal=proposal, cycle=f"c-{proposal}")
    rows = [*scenario.until_proposed(), *scenario.until_applied()]
    for row in rows:
        noun = row.noun
        if isinstance(noun, Question):
            noun = replace(noun, asked_at=now() - timedelta(days=3), expires_at=now() + timedelta(days=days))
        if row.name not in ("Approval", "Look"):
            project.ledger.append(row.phase, noun, subject=row.subject, key=row.key, kind=row.kind)


def titles(receiver: Received) -> list[str]:
    return [json.loads(body)["title"] for _, _, body in receiver.requests]


def test_a_gate_is_told_once_with_verdict_tier_and_end(sample: Repo, receiver: Received) -> None:
    project = open_project(sample.root)
    ask(project)
    notifier = Notifier("http://localhost:8787")
    first = notifier.look(project, [channel(receiver)])
    assert notifier.look(open_project(sample.root), [channel(receiver)]) == []
    assert titles(receiver) == ["calculator: the apply gate of p-1 asks for a person"]
    text = json.loads(receiver.requests[0][2])["message"]
    assert "verdict passed, tier confirm" in text
    assert "http://localhost:8787/p/p-1" in text
    [entry] = project.ledger.entries(kind="Delivery")
    assert entry.read(Delivery) == first[0]
    assert "secret-word" not in entry.body


def test_an_answered_gate_is_not_told_and_one_that_expires_soon_is_told_twice(sample: Repo, receiver: Received) -> None:
    project = open_project(sample.root)
    ask(project, days=0.5)
    for row in Scenario(proposal="p-2", cycle="c-2").rows():
        project.ledger.append(row.phase, row.noun, subject=row.subject, key=row.key, kind=row.kind)
    Notifier().look(project, [channel(receiver)])
    assert [title.rpartition("p-1 ")[2] for title in titles(receiver)] == [
        "asks for a person",
        "expires within 24 hours",
    ]


def test_the_question_of_an_agent_is_told_once_and_not_after_the_answer(sample: Repo, receiver: Received) -> None:
    project, notifier, channels = open_project(sample.root), Notifier("http://localhost:8787"), [channel(receiver)]
    asked = ask_people(project, "Which calendar?\x1b[2J token=ghp_" + "a1B2" * 9, "agent:author")
    answered = ask_people(project, "And which zone?", "agent:author")
    reply_to(project, answered.id, "UTC", "cli")
    notifier.look(project, channels)
    assert notifier.look(project, channels) == []
    assert titles(receiver) == ["calculator: agent:author asks a person"]
    text = json.loads(receiver.requests[0][2])["message"]
    assert "Which calendar?\\x1b[2J" in text
    assert f"http://localhost:8787/inquiries/{asked.id}" in text
    assert "ghp_" not in text


def test_questions_of_agents_are_folded_and_wait_for_the_end_of_quiet_hours(sample: Repo, receiver: Received) -> None:
    project = open_project(sample.root)
    for number in range(project.policy.notify.burst + 1):
        ask_people(project, f"question {number}", "agent:author")
    Notifier().look(project, [channel(receiver)])
    assert titles(receiver) == [f"whet: {project.policy.notify.burst + 1} notices"]
    assert NoticeEvent.ASKED not in URGENT


def test_a_rollback_a_stop_and_damage_are_told(sample: Repo, receiver: Received) -> None:
    project, notifier, channels = open_project(sample.root), Notifier(), [channel(receiver)]
    assert notifier.look(project, channels) == []
    row = Scenario().rollback()
    project.ledger.append(row.phase, row.noun, subject=row.subject, key=row.key)
    stop(project, "incident")
    notifier.look(project, channels)
    assert titles(receiver) == ["calculator: p-1 was taken back", "whet: whet was stopped"]
    (project.state / "STOP").unlink()
    notifier.look(project, channels)
    stop(project, "again")
    notifier.look(project, channels)
    assert titles(receiver)[2:] == ["whet: whet was stopped"]
    database = sqlite3.connect(project.state / FILE_NAME)
    database.executescript("DROP TRIGGER ledger_no_update; UPDATE ledger SET actor = 'x' WHERE seq = 1;")
    database.close()
    damaged = notifier.look(open_project(sample.root), channels)
    assert [delivery.title for delivery in damaged] == ["whet: the record is damaged"]
    assert notifier.look(open_project(sample.root), channels) == []


def test_a_failed_delivery_is_recorded_and_tried_again_later(sample: Repo, receiver: Received) -> None:
    project = open_project(sample.root)
    ask(project)
    receiver.status = 500
    time = now()
    notifier = Notifier(clock=lambda: time)
    [failed] = notifier.look(project, [channel(receiver)])
    assert failed.error
    assert notifier.look(project, [channel(receiver)]) == []
    receiver.status = 200
    time += timedelta(minutes=2)
    [sent] = notifier.look(project, [channel(receiver)])
    assert sent.error == ""
    recorded = [entry.read(Delivery) for entry in project.ledger.entries(kind="Delivery")]
    assert [bool(delivery.error) for delivery in recorded] == [True, False]


def test_a_channel_that_fails_is_tried_again_while_another_one_works(sample: Repo, receiver: Received) -> None:
    project, time = open_project(sample.root), now()
    ask(project)
    notifier = Notifier(clock=lambda: time)
    with http_receiver() as broken:
        broken.status = 500
        channels = [channel(receiver), channel(broken)]
        assert [bool(delivery.error) for delivery in notifier.look(project, channels)] == [False, True]
        time, broken.status = time + timedelta(minutes=2), 200
        assert [delivery.error for delivery in notifier.look(project, channels)] == [""]
        assert notifier.look(project, channels) == []
        assert titles(receiver) * 2 == titles(broken)


def test_a_burst_is_one_message_and_the_digest_comes_once_a_day(sample: Repo, receiver: Received) -> None:
    project, day = open_project(sample.root), timedelta(days=1)
    time = now()
    notifier, channels = Notifier(clock=lambda: time), [channel(receiver)]
    notifier.look(project, channels)
    for number in range(6):
        ask(project, f"p-{number}")
    [burst] = notifier.look(project, channels)
    assert burst.title == "whet: 6 notices"
    assert len(burst.notices) == 6
    lesson = Scenario(proposal="p-9").learned(Ending.MERGED)
    project.ledger.append("learn", lesson.noun, subject="p-9", key=lesson.key)
    time += day
    assert [delivery.title for delivery in notifier.look(project, channels)] == ["calculator: 1 proposal ended"]
    assert notifier.look(project, channels) == []


def test_mail_arrives_at_a_mail_server(sample: Repo) -> None:
    with smtp_receiver() as mail:
        address = f"mailto://127.0.0.1:{mail.port}/?from=whet@example.com&to=ann@example.com&mode=insecure"
        assert Channel(address).send("a title", "a text") == ""
    assert b"a title" in mail.requests[0][2]


def test_the_command_sends_a_test_and_shows_no_secret(sample: Repo, receiver: Received) -> None:
    url = f"json://user:secret-word@127.0.0.1:{receiver.port}/hook"
    assert sample.whet("notify", "--test").code == 2
    result = sample.whet("notify", "--test", env={"WHET_NOTIFY_URLS": url})
    assert result.code == 0
    assert "secret-word" not in result.out
    assert titles(receiver) == ["whet: a test from calculator"]
    bad = sample.whet("notify", "--test", env={"WHET_NOTIFY_URLS": "nothing://user:secret-word@x"})
    assert bad.code == 2
    assert "secret-word" not in bad.out + bad.err
    receiver.status = 500
    assert sample.whet("notify", "--test", env={"WHET_NOTIFY_URLS": url}).code == 1


def test_addresses_come_from_a_private_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("WHET_NOTIFY_URLS", raising=False)
    state = tmp_path / ".whet"
    state.mkdir(mode=0o700)
    assert channel_urls(state) == []
    (state / "notify.urls").write_text("# mine\njson://127.0.0.1\n")
    assert channel_urls(state) == ["json://127.0.0.1"]
    with pytest.raises(UsageError):
        Channel("no address")


def test_a_digest_in_quiet_hours_comes_after_them(sample: Repo, receiver: Received) -> None:
    settings = '[notify]\nquiet_hours = "08:00-10:00"\ndigest_at = "09:00"\n'
    (sample.root / "whet.toml").write_text((sample.root / "whet.toml").read_text() + settings)
    project, channels = open_project(sample.root), [channel(receiver)]
    time = (now().astimezone() - timedelta(days=1)).replace(hour=12, minute=0)  # before the lesson is recorded
    notifier = Notifier(clock=lambda: time.astimezone(UTC))
    notifier.look(project, channels)
    lesson = Scenario(proposal="p-9").learned(Ending.MERGED)
    project.ledger.append("learn", lesson.noun, subject="p-9", key=lesson.key)
    time = (time + timedelta(days=2)).replace(hour=9, minute=30)
    assert notifier.look(project, channels) == []
    time = time.replace(hour=10, minute=1)
    assert [delivery.title for delivery in notifier.look(project, channels)] == ["calculator: 1 proposal ended"]
    assert notifier.look(project, channels) == []


def test_a_digest_that_no_channel_takes_is_sent_again(sample: Repo, receiver: Received) -> None:
    project, channels, time = open_project(sample.root), [channel(receiver)], now()
    notifier = Notifier(clock=lambda: time)
    notifier.look(project, channels)
    lesson = Scenario(proposal="p-9").learned(Ending.MERGED)
    project.ledger.append("learn", lesson.noun, subject="p-9", key=lesson.key)
    time, receiver.status = time + timedelta(days=1), 500
    assert [bool(delivery.error) for delivery in notifier.look(project, channels)] == [True]
    time, receiver.status = time + timedelta(minutes=2), 200
    assert [delivery.error for delivery in notifier.look(project, channels)] == [""]
    assert notifier.look(project, channels) == []


@pytest.mark.parametrize(
    "text",
    [
        "", "null", "[]", "{", '{"since": 1}', '{"c": []}', '{"c": {"since": "yesterday", "last_digest": "2026-01-01"}}',
        '{"c": {"since": "2026-01-01", "last_digest": "2026-01-01"}}', "[" * 100_000, "\x00" * 99,
        '{"c": {"since": "2026-01-01T00:00:00+00:00", "last_digest": "2026-01-01T00:00:00+00:00", "done": []}}',
        '{"c": {"since": "2026-01-01T00:00:00+00:00", "last_digest": "2026-01-01T00:00:00+00:00", "failed": {"k": ["1", 2]}}}',
    ],
)  # fmt: skip
def test_a_damaged_file_of_notices_is_begun_anew(sample: Repo, receiver: Received, text: str) -> None:
    project, channels = open_project(sample.root), [channel(receiver)]
    ask(project)
    Notifier().look(project, channels)
    (project.state / "notices.json").write_text(text)
    [again] = Notifier().look(project, channels)
    assert again.title == "calculator: the apply gate of p-1 asks for a person"
    assert Notifier().look(project, channels) == []


def test_a_change_that_nobody_was_asked_about_is_told(sample: Repo, receiver: Received) -> None:
    project, notifier, channels = open_project(sample.root), Notifier(), [channel(receiver)]
    notifier.look(project, channels)
    for row in Scenario().rows():
        noun = row.noun
        if isinstance(noun, Approval):
            noun = replace(noun, tier=Tier.NOTIFY)
        project.ledger.append(row.phase, noun, subject=row.subject, key=row.key, kind=row.kind)
    notifier.look(project, channels)
    assert [title for title in titles(receiver) if "without a person" in title] == [
        "calculator: p-1 passes the apply gate without a person",
        "calculator: p-1 passes the merge gate without a person",
    ]


def test_a_service_that_has_not_looked_for_three_intervals_is_told_once(sample: Repo, receiver: Received) -> None:
    project, channels, time = open_project(sample.root), [channel(receiver)], now()
    notifier = Notifier(clock=lambda: time)
    time += timedelta(days=9)
    assert notifier.look(project, channels) == [], "no service looks after this repository"
    time -= timedelta(days=9)
    beat(project.state, Heartbeat(pid=1, started_at=time, at=time, poll_seconds=5))
    time += timedelta(hours=71)
    assert notifier.look(project, channels) == []
    time += timedelta(hours=3)
    assert [delivery.title for delivery in notifier.look(project, channels)] == [
        "calculator: whet has not looked for a while"
    ]
    assert notifier.look(project, channels) == []


def test_the_chain_of_a_long_ledger_is_checked_in_turn(sample: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(notices, "_ROWS", 4)
    ledger, check, at = open_project(sample.root).ledger, ChainCheck(), now()
    for number in range(12):
        ledger.append("observe", {"n": number}, subject="c-1", key=f"n/{number}", kind="Note")
    check.refuse_if_damaged(ledger, at)
    database = sqlite3.connect(sample.root / ".whet" / FILE_NAME)
    database.executescript("DROP TRIGGER ledger_no_update; UPDATE ledger SET actor = 'x' WHERE seq = 10;")
    database.close()
    for _ in range(2):
        check.refuse_if_damaged(ledger, at)
    with pytest.raises(DamagedLedger, match="row 10 was edited"):
        check.refuse_if_damaged(ledger, at)
    with pytest.raises(DamagedLedger, match="row 10 was edited"):
        check.refuse_if_damaged(ledger, at + timedelta(hours=1))
