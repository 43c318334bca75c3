"""The queue beside its questions: trials that run, and findings for which nothing is proposed now."""

import os
from collections.abc import Iterator
from datetime import datetime, timedelta

import pytest

from tests.store.test_executions import batch
from tests.web.pages import made
from tests.web.pages.conftest import Visit
from tests.web.pages.reading import inline_code, read
from whet.app.findings.deferred import deferred
from whet.app.project import Project
from whet.app.service.heartbeat import Heartbeat, beat
from whet.domain.clock import now
from whet.domain.lesson import Ending, Lesson
from whet.domain.trial import TrialBegun
from whet.domain.version import CANDIDATE, CONTROL, Mode, Split, digest_of
from whet.runtime.capture.writer import Writer
from whet.store.versions import Cause, Versions
from whet.web.pages.queue_page import queue_page

HOSTILE = made.HOSTILE[0]
OLD, NEW = b"old = 1\n", b"new = 2\n"


@pytest.fixture
def writer(fresh: Project) -> Iterator[Writer]:
    writer = Writer(str(fresh.state))
    yield writer
    writer.close()


def begin_trial(project: Project, at: datetime, mode: Mode = Mode.CANARY, title: str = "a title") -> None:
    proposal = made.proposal(project, "p-trial", title)
    begun = TrialBegun(
        proposal="p-trial", deployment="d-1", mode=mode, share=0.1, at=at, until=at + timedelta(minutes=30)
    )
    project.ledger.append("propose", proposal, subject="p-trial", key="p-trial/proposal")
    project.ledger.append("deploy", begun, subject="p-trial", key="d-1/trial-begun")


def find(project: Project, text: str = "a title") -> None:
    finding = made.proposal(project, "p-0", text).diagnosis.finding
    project.ledger.append("diagnose", (finding,), subject="c-1", key="c-1/find", kind="Findings")


def fail(project: Project, times: int, at: datetime) -> None:
    for number in range(times):
        name = f"p-failed-{number}"
        lesson = Lesson(
            proposal=name, signature="5" * 16, engine="repair", ending=Ending.NOT_BUILT, code="", summary="no patch",
            base="b", patch_digest="", learned_at=at,
        )  # fmt: skip
        project.ledger.append("learn", lesson, subject=name, key=f"{name}/lesson")


def serve(project: Project) -> None:
    beat(project.state, Heartbeat(pid=os.getpid(), started_at=now(), at=now(), poll_seconds=5))


def test_a_trial_that_runs_is_shown_with_its_calls_and_its_end(fresh: Project, visit: Visit, writer: Writer) -> None:
    begin_trial(fresh, now(), title=HOSTILE)
    split = Split(mode=Mode.CANARY, share=0.1, salt="d-1")
    Versions(fresh.state).start_trial(
        "shop", "shop.py", OLD, NEW, split, Cause(why="p-trial", deployment="d-1", at=now())
    )
    for source, arm, calls, failed in ((OLD, CONTROL, 9, 2), (NEW, CANDIDATE, 3, 1)):
        writer.write(batch(now(), calls=calls, failed=failed, key=("shop.price", digest_of(source)[:16]), arm=arm))
    page = read(visit(fresh), "/")
    assert inline_code(page) == []
    assert HOSTILE in page.text
    for words in (
        "On trial 1",
        "no decision yet",
        "10 % of the calls",
        "at the latest",
        "3 calls of the candidate, 1 fa",
    ):
        assert words in page.text, words
    assert "9 calls of the old version, 2 failed" in page.text
    assert "No proposal is being worked on" in page.text


def test_a_trial_without_records_or_past_its_time_is_shown_as_it_is(fresh: Project, visit: Visit) -> None:
    begin_trial(fresh, now() - timedelta(hours=1))
    [row] = queue_page(fresh).trials
    assert (row.abandoned, row.calls) == (True, None)
    text = read(visit(fresh), "/").text
    assert "time is over" in text
    assert "whet resume decides" in text


def test_a_shadow_has_no_calls_that_could_be_counted(fresh: Project) -> None:
    begin_trial(fresh, now(), Mode.SHADOW)
    [row] = queue_page(fresh).trials
    assert row.calls is None


def test_a_finding_that_cools_down_is_deferred_until_that_is_over(fresh: Project, visit: Visit) -> None:
    find(fresh, HOSTILE)
    at = now() - timedelta(minutes=5)
    fail(fresh, 1, at)
    with (fresh.git.root / "whet.toml").open("a") as file:
        file.write("[budget]\ncooldown_seconds = 3600\n")
    [row] = deferred(fresh.reloaded()).findings
    assert row.wait.until == at + timedelta(hours=1)
    page = read(visit(fresh), "/")
    assert inline_code(page) == []
    assert "the last attempt is less than 3600 seconds ago. Until " in page.text
    assert HOSTILE in page.text


def test_a_finding_without_attempts_left_is_deferred_until_the_policy_grants_more(fresh: Project) -> None:
    find(fresh)
    fail(fresh, fresh.policy.budget.attempts_per_signature, now() - timedelta(days=30))
    [row] = deferred(fresh).findings
    assert row.wait.until is None
    assert "budget.attempts_per_signature" in row.wait.ends


def test_a_spent_day_ends_when_its_oldest_proposal_stops_counting(fresh: Project) -> None:
    find(fresh)
    for number in range(fresh.policy.budget.proposals_per_day + 1):
        fresh.ledger.append("propose", made.proposal(fresh, f"p-{number}"), subject=f"p-{number}", key=f"p-{number}")
        lesson = Lesson(
            proposal=f"p-{number}", signature="other", engine="repair", ending=Ending.COMPLETED, code="", summary="",
            base="b", patch_digest="", learned_at=now(),
        )  # fmt: skip
        fresh.ledger.append("learn", lesson, subject=f"p-{number}", key=f"p-{number}/lesson")
    [row] = deferred(fresh).findings
    second = fresh.ledger.entries(kind="Proposal")[1]
    assert row.wait.until == second.at + timedelta(days=1)


def test_what_is_at_work_or_free_to_start_is_not_deferred(fresh: Project) -> None:
    assert deferred(fresh).findings == ()
    find(fresh)
    assert deferred(fresh).findings == ()
    fail(fresh, 1, now())
    fresh.ledger.append("propose", made.proposal(fresh, "p-open"), subject="p-open", key="p-open/proposal")
    assert deferred(fresh).findings == ()


def test_the_dry_run_of_a_service_is_said_with_its_end_only_where_one_runs(fresh: Project, visit: Visit) -> None:
    find(fresh)
    assert deferred(fresh).service is None
    serve(fresh)
    wait = deferred(fresh).service
    first = fresh.ledger.entry(1)
    assert wait and first and wait.until == first.at + timedelta(days=fresh.policy.service.dry_run_days)
    assert "are a dry run" in read(visit(fresh), "/").text


def test_too_many_findings_are_counted_and_not_judged(fresh: Project) -> None:
    finding = made.proposal(fresh, "p-0").diagnosis.finding
    fresh.ledger.append("diagnose", (finding,) * 25, subject="c-1", key="c-1/find", kind="Findings")
    assert deferred(fresh).unjudged == 5
