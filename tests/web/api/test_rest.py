"""REST: the same nouns as the command line, errors with codes and remedies, pages by ledger sequence."""

from collections.abc import Callable

import pytest
from starlette.testclient import TestClient

from tests.support import Repo


def test_rest_gives_what_the_command_line_prints(browser: TestClient, waiting: Repo) -> None:
    listed = browser.get("/api/v1/proposals").json()
    assert listed["proposals"] == waiting.whet("list", "--json").json
    assert browser.get("/api/v1/proposals/p-2").json() == waiting.whet("show", "p-2", "--json").json
    assert browser.get("/api/v1/proposals/p-2/diff").json() == waiting.whet("diff", "p-2", "--json").json
    assert browser.get("/api/v1/proposals/p-2/patch").text == waiting.whet("diff", "p-2").out
    assert browser.get("/api/v1/budget").json() == waiting.whet("budget", "--json").json
    assert browser.get("/api/v1/models").json()["models"] == waiting.whet("models", "--json").json["models"]
    newest = waiting.whet("ledger", "--kind", "Evidence", "--latest", "--json").json
    assert browser.get("/api/v1/ledger/latest", params={"kind": "Evidence"}).json() == newest
    assert browser.get(f"/api/v1/ledger/{newest['seq']}").json() == newest


def test_the_etag_is_the_digest_of_the_evidence(browser: TestClient) -> None:
    for path in ("", "/evidence", "/report"):
        answer = browser.get(f"/api/v1/proposals/p-2{path}")
        assert answer.headers["etag"] == f'"{browser.get("/api/v1/proposals/p-2").json()["evidence_digest"]}"'


def test_the_report_is_markdown_and_findings_come_from_the_record(browser: TestClient) -> None:
    answer = browser.get("/api/v1/proposals/p-2/report")
    assert answer.headers["content-type"].startswith("text/markdown")
    assert "whet: ✅ passed" in answer.text
    findings = browser.get("/api/v1/findings").json()
    assert [finding["id"] for finding in findings["findings"]] == ["f-1"]


def test_pages_end_with_a_cursor_and_miss_nothing(browser: TestClient) -> None:
    every = browser.get("/api/v1/ledger", params={"limit": 500}).json()
    assert every["next"] is None
    seen, cursor = [], 0
    while cursor is not None:
        page = browser.get("/api/v1/ledger", params={"limit": 7, "after": cursor}).json()
        seen += page["entries"]
        cursor = page["next"]
    assert seen == every["entries"]
    first = browser.get("/api/v1/proposals", params={"limit": 1}).json()
    second = browser.get("/api/v1/proposals", params={"limit": 1, "after": first["next"]}).json()
    assert [row["proposal"] for row in (*first["proposals"], *second["proposals"])] == ["p-1", "p-2"]
    waiting_only = browser.get("/api/v1/proposals", params={"status": "waiting_apply"}).json()
    assert [row["proposal"] for row in waiting_only["proposals"]] == ["p-2"]
    only = browser.get("/api/v1/ledger", params={"subject": "p-2", "phase": "validate", "kind": "Evidence"}).json()
    assert [entry["subject"] for entry in only["entries"]] == ["p-2"]


@pytest.mark.parametrize(
    ("path", "status", "code"),
    [
        ("/api/v1/proposals/p-9", 404, "not_on_record"),
        ("/api/v1/proposals/p-", 400, "usage"),
        ("/api/v1/ledger/999999", 404, "not_on_record"),
        ("/api/v1/ledger/x", 422, "invalid_request"),
        ("/api/v1/ledger?after=-1", 422, "invalid_request"),
        ("/api/v1/ledger?limit=100000", 422, "invalid_request"),
        ("/api/v1/ledger/latest?kind=Nothing", 404, "not_on_record"),
        ("/api/v1/nothing", 404, "not_found"),
        ("/api/v1/proposals/p-1/statement?who=ann", 409, "refused"),
    ],
)
def test_errors_are_problem_details(browser: TestClient, path: str, status: int, code: str) -> None:
    answer = browser.get(path)
    assert answer.status_code == status
    assert answer.headers["content-type"] == "application/problem+json"
    body = answer.json()
    assert (body["status"], body["code"]) == (status, code)
    assert body["detail"]


def test_a_suggestion_needs_its_scope_and_is_recorded_once_per_key(
    browser: TestClient, program: Callable[..., TestClient]
) -> None:
    new = {"text": "mean of nothing should be 0", "where": "calculator.py"}
    for client in (browser, program("read"), program("prove")):
        refused = client.post("/api/v1/suggestions", json=new, headers={"Origin": "http://localhost:8787"})
        assert (refused.status_code, refused.json()["code"]) == (403, "no_scope")
    client, key = program("read", "suggest"), {"Idempotency-Key": "k1"}
    first = client.post("/api/v1/suggestions", json=new, headers=key)
    assert first.status_code == 201
    assert first.json()["by"].startswith("token:")
    assert client.post("/api/v1/suggestions", json=new, headers=key).json() == first.json()
    other = client.post("/api/v1/suggestions", json={**new, "text": "another"}, headers=key)
    assert (other.status_code, other.json()["code"]) == (422, "key_used_twice")
    assert client.post("/api/v1/suggestions", json=new).json()["id"] != first.json()["id"]
    recorded = browser.get("/api/v1/ledger", params={"kind": "Suggestion"}).json()["entries"]
    assert len(recorded) == 2


@pytest.mark.parametrize(
    "body",
    [{}, {"text": ""}, {"text": 1}, {"text": "x", "approve": True}, {"text": "x", "where": "../../etc/passwd"}, []],
)
def test_a_malformed_suggestion_gets_a_sentence(program: Callable[..., TestClient], body: object) -> None:
    answer = program("suggest", "read").post("/api/v1/suggestions", json=body)
    assert answer.status_code in (400, 422)
    assert answer.json()["detail"]


def test_objections_and_questions_need_their_scope_and_read_as_on_the_command_line(
    browser: TestClient, program: Callable[..., TestClient], waiting: Repo
) -> None:
    against, question = {"why": "line 30 is wrong for 1"}, {"text": "Is 1 a number?", "proposal": "p-2"}
    posts = (("/api/v1/proposals/p-2/objections", against), ("/api/v1/inquiries", question))
    for client in (browser, program("read"), program("prove")):
        for path, body in posts:
            refused = client.post(path, json=body, headers={"Origin": "http://localhost:8787"})
            assert (refused.status_code, refused.json()["code"]) == (403, "no_scope")
    client = program("read", "suggest")
    made = [client.post(path, json=body) for path, body in posts]
    assert [answer.status_code for answer in made] == [201, 201]
    assert [client.post(path, json=body).json() for path, body in posts] == [answer.json() for answer in made]
    objection, asked = (answer.json() for answer in made)
    assert objection["by"].startswith("token:")
    assert browser.get("/api/v1/proposals/p-2").json()["objections"] == [objection]
    assert browser.get("/api/v1/status").json()["inquiries"] == [asked]
    assert browser.get(f"/api/v1/inquiries/{asked['id']}").json() == asked
    assert waiting.whet("reply", "--list", "--json").json == waiting.whet("reply", "--json").json == [asked]
    assert waiting.whet("reply", asked["id"], "it is", "--json").json["state"] == "answered"
    assert browser.get(f"/api/v1/inquiries/{asked['id']}").json()["reply"]["text"] == "it is"
    assert browser.get("/api/v1/status").json()["inquiries"] == []
    for path in ("/api/v1/inquiries/i-none", "/api/v1/inquiries/i-"):
        assert browser.get(path).status_code == 404
    for path in (f"/api/v1/inquiries/{asked['id']}", f"/api/v1/inquiries/{asked['id']}/reply"):
        assert client.post(path, json={"text": "yes"}).status_code in (404, 405)


@pytest.mark.parametrize("body", [{}, {"why": ""}, {"why": " "}, {"why": "x" * 2_001}, {"why": "x", "tier": "require"}])
def test_a_malformed_objection_gets_a_sentence(program: Callable[..., TestClient], body: object) -> None:
    answer = program("suggest", "read").post("/api/v1/proposals/p-2/objections", json=body)
    assert (answer.status_code, answer.json()["code"]) == (422, "invalid_request")
    assert answer.json()["detail"]


def test_a_proof_needs_its_scope_and_bad_changes_get_a_sentence(program: Callable[..., TestClient]) -> None:
    assert program("read", "suggest").post("/api/v1/proofs", json={"patch": "x"}).status_code == 403
    client = program("read", "prove")
    for body, words in (
        ({}, "name one change"),
        ({"patch": "no diff"}, "no diff in it"),
        ({"branch": "nowhere"}, "nowhere"),
    ):
        answer = client.post("/api/v1/proofs", json=body)
        assert answer.status_code in (400, 422, 503)
        assert words in answer.json()["detail"]
    assert client.get("/api/v1/proofs/none").status_code == 404


def test_no_token_or_session_can_approve(browser: TestClient, program: Callable[..., TestClient]) -> None:
    statement = browser.get("/api/v1/proposals/p-2/statement", params={"who": "ann@example.com", "why": "read it"})
    assert statement.status_code == 200
    tag = {"If-Match": statement.headers["etag"]}
    client = program("read", "suggest", "prove")
    for who in (browser, client):
        unsigned = who.post(
            "/api/v1/proposals/p-2/votes", json={"statement": statement.text, "signature": "none"}, headers=tag
        )
        assert (unsigned.status_code, unsigned.json()["code"]) == (409, "bad_signature")
        assert who.post("/api/v1/proposals/p-2/approve", json={}).status_code == 404
    vote = {"statement": statement.text, "signature": "none"}
    assert client.post("/api/v1/proposals/p-2/votes", json=vote).status_code == 428
    stale = client.post("/api/v1/proposals/p-2/votes", json=vote, headers={"If-Match": '"0000"'})
    assert (stale.status_code, stale.json()["code"]) == (412, "evidence_changed")
    assert browser.get("/api/v1/proposals/p-2").json()["votes"] == []


def test_a_caller_that_asks_too_often_is_told_to_wait(waiting: Repo) -> None:
    from dataclasses import replace

    from tests.web.conftest import SETTINGS, app_of
    from whet.web.server import entry_link

    app = app_of(waiting.root, replace(SETTINGS, requests_per_minute=3))
    client = TestClient(app, base_url="http://localhost:8787")
    client.get(entry_link(app))
    codes = [client.get("/api/v1/policy").status_code for _ in range(5)]
    assert codes.count(429) >= 1
    assert codes[0] == 200
