"""Objections and questions of agents on the pages: a person reads and answers them, and nothing in them acts."""

from collections.abc import Callable
from datetime import timedelta

import pytest
from starlette.testclient import TestClient

from tests.web.pages import made
from tests.web.pages.conftest import Visit
from tests.web.pages.made import HOSTILE
from tests.web.pages.reading import inline_code, read
from whet.app.agent_notes.ask import ask_people, inquiry_state
from whet.app.agent_notes.objections import object_to
from whet.app.project import Project
from whet.app.tokens import TokenScope, create_token
from whet.web.settings import WebSettings

ORIGIN = {"Origin": "http://localhost:8787"}


@pytest.fixture
def waiting(fresh: Project) -> Project:
    """A project with a proposal p-1 that waits at the apply gate."""
    proposal = made.proposal(fresh, "p-1")
    made.record(fresh, proposal, made.diff_of("calculator.py", ["x = 1"]), made.evidence(proposal, made.check("t")))
    return fresh


def test_an_objection_stands_where_the_person_decides(waiting: Project, visit: Visit) -> None:
    object_to(waiting, "p-1", "line 3 drops zero", "agent:critic")
    client = visit(waiting)
    for path in ("/p/p-1", "/p/p-1/approve", "/p/p-1/markdown", "/p/p-1/export", "/p/p-1/json"):
        text = client.get(path).text
        assert "line 3 drops zero" in text, path
        assert "agent:critic" in text, path
    page = read(client, "/p/p-1").text
    assert "agent:critic says: line 3 drops zero" in page
    assert "Words of agents, not verified" in page
    assert "Decides" not in page
    assert "1 objection" in read(client, "/").text
    assert "/p/p-1" in [attrs.get("href") for _, attrs in read(client, "/ledger?kind=Objection").tags]


def test_an_objection_to_earlier_evidence_says_so(waiting: Project, visit: Visit) -> None:
    object_to(waiting, "p-1", "line 3 drops zero", "agent:critic")
    proposal = made.proposal(waiting, "p-1")
    later = made.evidence(proposal, made.check("another run"))
    waiting.ledger.append("validate", later, subject="p-1", key="p-1/evidence-2")
    assert "agent:critic says, about earlier evidence: line 3" in read(visit(waiting), "/p/p-1").text


def test_a_question_waits_in_the_queue_until_a_person_answers_it_in_the_browser(waiting: Project, visit: Visit) -> None:
    asked, client = ask_people(waiting, "May zero be dropped?", "agent:author", "p-1"), visit(waiting)
    queue = read(client, "/")
    assert "May zero be dropped?" in queue.text
    assert f"/inquiries/{asked.id}" in [attrs.get("href") for _, attrs in queue.tags]
    assert f"/inquiries/{asked.id}" in [attrs.get("href") for _, attrs in read(client, "/p/p-1").tags]
    assert inline_code(read(client, f"/inquiries/{asked.id}")) == []
    done = client.post(f"/inquiries/{asked.id}", data={"text": "No, zero counts."}, headers=ORIGIN)
    assert (done.status_code, done.headers["location"]) == (303, f"/inquiries/{asked.id}")
    reply = inquiry_state(waiting.ledger, asked.id).reply
    assert reply and (reply.text, reply.via) == ("No, zero counts.", "web")
    assert "No, zero counts." in read(client, f"/inquiries/{asked.id}").text
    assert "No, zero counts." in read(client, "/p/p-1").text
    assert "May zero be dropped?" not in read(client, "/").text
    again = client.post(f"/inquiries/{asked.id}", data={"text": "Yes."}, headers=ORIGIN)
    assert (again.status_code, again.json()["code"]) == (409, "refused")


@pytest.mark.parametrize("text", ["", " ", "x" * 5_001])
def test_an_answer_without_words_or_with_too_many_is_not_recorded(waiting: Project, visit: Visit, text: str) -> None:
    asked = ask_people(waiting, "May zero be dropped?", "agent:author")
    assert visit(waiting).post(f"/inquiries/{asked.id}", data={"text": text}, headers=ORIGIN).status_code == 400
    assert inquiry_state(waiting.ledger, asked.id).state == "open"


def test_only_a_browser_of_this_machine_answers(waiting: Project, visit: Visit) -> None:
    asked = ask_people(waiting, "May zero be dropped?", "agent:author")
    path, client = f"/inquiries/{asked.id}", visit(waiting)
    _, secret = create_token(waiting.state, "agent", frozenset(TokenScope))
    token = {"Authorization": f"Bearer {secret}"}
    attempts: list[Callable[[], int]] = [
        lambda: client.post(path, data={"text": "yes"}, headers={"Origin": "http://evil.example"}).status_code,
        lambda: TestClient(client.app, base_url="http://localhost:8787").post(path, data={"text": "y"}).status_code,
        lambda: (
            TestClient(client.app, base_url="http://localhost:8787")
            .post(path, data={"text": "yes"}, headers=token)
            .status_code
        ),
    ]
    assert [attempt() for attempt in attempts] == [403, 401, 409]
    public = visit(waiting, WebSettings(host="192.0.2.1", names=("localhost",)))
    assert "cannot say who answers" in read(public, path).text
    assert inquiry_state(waiting.ledger, asked.id).state == "open"
    assert client.get("/inquiries/i-none").status_code == 404


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_words_of_an_agent_never_become_code(waiting: Project, visit: Visit, text: str) -> None:
    object_to(waiting, "p-1", text, f"agent:{text}")
    asked, client = ask_people(waiting, text, f"agent:{text}", "p-1"), visit(waiting)
    for path in ("/", "/p/p-1", "/p/p-1/approve", f"/inquiries/{asked.id}"):
        page = read(client, path)
        assert inline_code(page) == [], path
        assert not {"\x1b", "\u202e", "\u200b"} & set(page.text), path
    markdown = client.get("/p/p-1/markdown").text
    assert "<script" not in "".join(markdown.split("```diff")[0].split("`")[::2])
    assert "\x1b" not in markdown


def test_a_question_that_has_expired_leaves_the_queue(
    waiting: Project, visit: Visit, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("whet.app.agent_notes.ask.LASTS", timedelta(0))
    asked = ask_people(waiting, "May zero be dropped?", "agent:author")
    assert "May zero" not in read(visit(waiting), "/").text
    assert "expired" in read(visit(waiting), f"/inquiries/{asked.id}").text
