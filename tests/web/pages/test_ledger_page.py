"""The page of the ledger: the audit that it shows, what that may cost, and the export."""

import json

import pytest
from sqlalchemy import text

from tests.web.pages import made
from tests.web.pages.conftest import Visit
from tests.web.pages.reading import inline_code, read
from whet.app.audits.audit import audit
from whet.app.project import Project
from whet.app.views.ledger_row import ledger_row
from whet.domain.clock import now
from whet.domain.deployment import Deployment, DeploymentState
from whet.ledger.entry import Entry
from whet.web.answers import shown
from whet.web.pages.ledger_page import export_lines
from whet.web.record_checks import FEW_ROWS, RecordChecks

HOSTILE = made.HOSTILE[1]


def note(project: Project, number: int, actor: str = "whet") -> Entry:
    return project.ledger.append(
        "observe", {"text": HOSTILE}, subject="c-1", key=f"n{number}", kind="Note", actor=actor
    )


def deploy_unproven(project: Project) -> None:
    deployed = Deployment(
        id="d-1", proposal=HOSTILE, strategy="merge", ref="refs/heads/main", before="1" * 40, after="2" * 40,
        snapshot="s-1", evidence_digest="3" * 64, state=DeploymentState.DEPLOYED, actor=HOSTILE, at=now(),
    )  # fmt: skip
    project.ledger.append("deploy", deployed, subject=HOSTILE, key="d-1/deployment")


def test_the_page_shows_the_audit_of_a_short_record(fresh: Project, visit: Visit) -> None:
    note(fresh, 1)
    page = read(visit(fresh), "/ledger")
    for invariant in audit(fresh).invariants:
        assert invariant.statement in page.text
    assert "The record holds." in page.text
    assert inline_code(page) == []


def test_a_violation_is_shown_with_its_text_and_nothing_in_it_acts(fresh: Project, visit: Visit) -> None:
    deploy_unproven(fresh)
    page = read(visit(fresh), "/ledger")
    violations = [words for invariant in audit(fresh).invariants for words in invariant.violations]
    assert violations
    assert "The record does not hold." in page.text
    assert all(words.replace("`", "") in page.text for words in violations)
    assert HOSTILE in page.text
    assert inline_code(page) == []


def test_an_edited_row_is_shown_as_damage(fresh: Project, visit: Visit) -> None:
    note(fresh, 1)
    note(fresh, 2)
    client = visit(fresh)
    with fresh.store.writing() as connection:
        connection.execute(text("DROP TRIGGER IF EXISTS ledger_no_update"))
        connection.execute(text("UPDATE ledger SET subject = 'c-2' WHERE seq = 1"))
    client.post("/ledger/check")
    assert "row 1 (Note of c-2) was edited" in read(client, "/ledger").text


def test_a_long_record_is_audited_only_when_asked(
    fresh: Project, visit: Visit, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("whet.web.record_checks.FEW_ROWS", 2)
    monkeypatch.setattr("whet.web.record_checks.QUICK_SECONDS", 0)
    assert FEW_ROWS > 2
    for number in range(3):
        note(fresh, number)
    client, checks = visit(fresh), RecordChecks()
    assert checks.latest(fresh) is None
    assert "audited when you ask for it" in read(client, "/ledger").text
    answer = client.post("/ledger/check")
    assert (answer.status_code, answer.headers["location"]) == (303, "/ledger#audit")
    assert "at row 3" in read(client, "/ledger").text
    note(fresh, 4)
    assert "at row 3" in (words := read(client, "/ledger").text)
    assert "1 row came after it" in words


def test_an_audit_is_kept_for_its_head_and_made_again_after_a_new_row(
    fresh: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("whet.web.record_checks.QUICK_SECONDS", 3600)  # a busy machine is not quick
    note(fresh, 1)
    checks = RecordChecks()
    first = checks.latest(fresh)
    assert checks.latest(fresh) is first
    assert checks.check(fresh) is not first
    note(fresh, 2)
    again = checks.latest(fresh)
    assert again and again.head.seq == 2


def test_a_repository_that_cannot_be_audited_still_has_its_page(fresh: Project, visit: Visit) -> None:
    note(fresh, 1)
    client = visit(fresh)
    fresh.git.text("branch", "-m", "main", "trunk")
    assert "target.branch names 'main', which does not exist" in read(client, "/ledger").text


def test_another_site_cannot_ask_for_an_audit(fresh: Project, visit: Visit) -> None:
    answer = visit(fresh).post("/ledger/check", headers={"Origin": "http://evil.example"})
    assert answer.status_code == 403


def test_the_export_has_every_row_as_the_command_line_prints_it(fresh: Project, visit: Visit) -> None:
    entries = [note(fresh, number, actor="alice" if number % 2 else "whet") for number in range(5)]
    answer = visit(fresh).get("/ledger/export")
    assert answer.headers["content-type"].startswith("application/x-ndjson")
    assert "attachment" in answer.headers["content-disposition"]
    lines = [json.loads(line) for line in answer.text.splitlines()]
    assert lines == [json.loads(json.dumps(shown(ledger_row(entry)))) for entry in entries]
    filtered = visit(fresh).get("/ledger/export?actor=alice&kind=Note")
    assert [json.loads(line)["seq"] for line in filtered.text.splitlines()] == [2, 4]
    assert visit(fresh).get("/ledger/export?kind=Evidence").text == ""


def test_an_export_goes_over_several_reads_and_ends_at_the_row_that_was_last(
    fresh: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("whet.web.pages.ledger_page._EXPORTED_AT_ONCE", 2)
    for number in range(5):
        note(fresh, number)
    lines = export_lines(fresh.ledger, {})
    first = json.loads(next(lines))
    note(fresh, 5)
    assert [first["seq"], *(json.loads(line)["seq"] for line in lines)] == [1, 2, 3, 4, 5]


def test_a_row_that_cannot_be_read_ends_the_export_with_a_sentence(fresh: Project) -> None:
    note(fresh, 1)
    with fresh.store.writing() as connection:
        connection.execute(text("DROP TRIGGER IF EXISTS ledger_no_update"))
        connection.execute(text("UPDATE ledger SET at = 'never' WHERE seq = 1"))
    assert "not an entry" in json.loads(list(export_lines(fresh.ledger, {}))[-1])["problem"]


def test_nobody_exports_without_a_session(fresh: Project, visit: Visit) -> None:
    client = visit(fresh)
    client.cookies.clear()
    assert client.get("/ledger/export").status_code == 401
    assert client.post("/ledger/check").status_code == 401
