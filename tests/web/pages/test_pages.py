"""The five screens, read by a client that is signed in."""

import pytest
from starlette.testclient import TestClient

from tests.domain.secret_samples import A
from tests.web.pages import made
from tests.web.pages.conftest import Visit
from tests.web.pages.reading import inline_code, read
from whet.app.cycles.loop import running
from whet.app.kill_switch import stop
from whet.app.project import Project, open_project
from whet.app.tokens import TokenScope, create_token
from whet.domain.approval import Tier
from whet.domain.evidence import GuardFinding
from whet.domain.verdict import SafeguardResult, Verdict
from whet.errors import EnvironmentProblem
from whet.state_folder import SWITCH
from whet.web.server import listen
from whet.web.settings import WebSettings

SCREENS = ("/", "/findings", "/ledger", "/policy")


TARGET = "tests/test_calculator.py::test_factorial[5-120]"
FIX = "    for factor in range(2, n + 1):"


@pytest.fixture(scope="module")
def proposal_id(project: Project) -> str:
    """A proposal that waits at the apply gate, beside the stored run of its base."""
    proposal = made.proposal(project, "p-3f0180cb", "Use n + 1 instead of n")
    result = made.check("3 held", red=(TARGET,), green=(TARGET,), reverted=(TARGET,), flaky=())
    made.record(project, proposal, made.diff_of("calculator.py", [FIX]), made.evidence(proposal, result))
    made.store_run(
        project, [TARGET, *(f"tests/test_calculator.py::test_{name}" for name in ("countdown", "add", "subtract"))]
    )
    return proposal.id


@pytest.fixture
def browser(project: Project, visit: Visit) -> TestClient:
    return visit(project)


@pytest.fixture
def stranger(browser: TestClient) -> TestClient:
    browser.cookies.clear()
    return browser


@pytest.mark.parametrize("path", SCREENS)
def test_every_screen_answers_without_inline_code(browser: TestClient, path: str) -> None:
    page = read(browser, path)
    assert inline_code(page) == []
    assert [attrs.get("lang") for tag, attrs in page.tags if tag == "html"] == ["en"]
    assert len([tag for tag, _ in page.tags if tag == "h1"]) == 1


@pytest.mark.parametrize("path", [*SCREENS, "/p/p-1", "/p/p-1/patch", "/p/p-1/approve", "/ledger/1"])
def test_no_page_is_shown_without_a_session(stranger: TestClient, path: str) -> None:
    assert stranger.get(path).status_code == 401


def test_a_secret_in_a_setting_or_in_a_reason_to_stop_is_not_shown(fresh: Project, visit: Visit) -> None:
    token = "gh" + "p_" + A[:36]
    settings = f'[[sources.health]]\nname = "shop"\nurl = "http://127.0.0.1:1/health?token={token}"\n'
    with (fresh.git.root / "whet.toml").open("a") as file:
        file.write(settings)
    client = visit(open_project(fresh.git.root, local=True))
    assert token not in client.get("/policy").text
    assert "token=[redacted: token]" in client.get("/policy").text
    stop(fresh, f"{token} leaked")
    assert token not in (fresh.state / SWITCH).read_text()


def test_static_files_need_no_session_and_may_be_kept(stranger: TestClient) -> None:
    answer = stranger.get("/static/x/whet.css")
    assert answer.status_code == 200
    assert "immutable" in answer.headers["cache-control"]
    for name in ("vendor/VENDOR.toml", "%2e%2e/routes.py", "routes.py"):
        assert stranger.get(f"/static/x/{name}").status_code == 404


def test_the_proposal_page_leads_with_the_decision(browser: TestClient, proposal_id: str) -> None:
    page = read(browser, f"/p/{proposal_id}")
    ids = [attrs["id"] for _, attrs in page.tags if attrs.get("id")]
    order = ["decision", "brief", "why", "change", "proof", "against", "trial", "record"]
    assert [name for name in ids if name in order] == order
    text = " ".join(page.text.split())
    for words in (
        "passed",
        "tier confirm",
        "apply gate",
        "closes in 1 d",
        "Needs 1 person",
        "3 other tests did what they did",
    ):
        assert words in text, words
    assert inline_code(page) == []


def test_the_matrix_shows_red_green_red_for_every_target(browser: TestClient, proposal_id: str) -> None:
    html = browser.get(f"/p/{proposal_id}").text
    row = html[html.index("test_factorial[5-120]</code>", html.index('id="proof"')) :].partition("</tr>")[0]
    assert [word for word in row.split('"') if word.startswith("cell ")] == ["cell red", "cell green", "cell red"]


def test_held_tests_can_be_searched_on_the_server(browser: TestClient, proposal_id: str) -> None:
    text = read(browser, f"/p/{proposal_id}?held=COUNTDOWN").text
    assert "1 test with “COUNTDOWN”" in " ".join(text.split())
    assert "test_countdown" in text
    assert "test_subtract" not in text.partition("1 test with")[2]


def test_a_shortened_id_leads_to_the_page(browser: TestClient, proposal_id: str) -> None:
    answer = browser.get(f"/p/{proposal_id[:5]}")
    assert (answer.status_code, answer.headers["location"]) == (307, f"/p/{proposal_id}")
    assert browser.get("/p/p-none").status_code == 404
    assert browser.get("/ledger/99999999999999999999").status_code == 404


def test_the_patch_the_json_and_the_markdown_are_those_of_the_record(browser: TestClient, proposal_id: str) -> None:
    assert f"+{FIX}" in browser.get(f"/p/{proposal_id}/patch").text
    assert browser.get(f"/p/{proposal_id}/json").json()["proposal"] == proposal_id
    assert "```diff" in browser.get(f"/p/{proposal_id}/markdown").text


def test_the_ledger_is_filtered_and_paged(browser: TestClient, proposal_id: str) -> None:
    kinds = read(browser, f"/ledger?kind=Evidence&subject={proposal_id}")
    assert len([tag for tag, attrs in kinds.tags if (attrs.get("id") or "").startswith("row-")]) == 1
    older = read(browser, "/ledger?before=4")
    assert [attrs["id"] for _, attrs in older.tags if (attrs.get("id") or "").startswith("row-")] == [
        "row-3", "row-2", "row-1"
    ]  # fmt: skip


def test_guard_remarks_stand_at_their_line_and_against_the_change(fresh: Project, visit: Visit) -> None:
    proposal = made.proposal(fresh, "p-1")
    remark = GuardFinding(rule="eq", severity="require", path="calculator.py", reason="changes __eq__ (line 2)")
    doubt = SafeguardResult("varied inputs", Verdict.INCONCLUSIVE, "3 inputs differ")
    result = made.check("t", verdict=Verdict.INCONCLUSIVE, reason="a doubt", safeguards=(doubt,))
    made.record(
        fresh,
        proposal,
        made.diff_of("calculator.py", ["one", "two", "three"]),
        made.evidence(proposal, result, (remark,)),
    )
    html = visit(fresh).get("/p/p-1").text
    change = html[html.index('id="change"') : html.index('id="proof"')]
    assert change.index(">two<") < change.index("changes __eq__") < change.index(">three<")
    against = html[html.index('id="against"') : html.index('id="trial"')]
    for words in ("a doubt", "3 inputs differ", "changes __eq__", "speed"):
        assert words in against, words


def test_a_session_shows_how_to_approve_and_cannot_do_it(fresh: Project, visit: Visit) -> None:
    proposal = made.proposal(fresh, "p-1")
    made.record(fresh, proposal, made.diff_of("a.py", ["x"]), made.evidence(proposal, made.check("t")), Tier.REQUIRE)
    client, head = visit(fresh), fresh.ledger.head()
    assert 'whet approve p-1 --why "..."' in read(client, "/p/p-1/approve").text
    empty = dict.fromkeys(("credential", "client_data", "authenticator_data", "signature"), "")
    for body in ({}, {"answer": "approved"}, {"statement": "whet approval v1\n", **empty}):
        answer = client.post("/p/p-1/approve", data=body)
        assert answer.status_code in (409, 422), answer.text
    assert fresh.ledger.head() == head


def test_a_no_is_recorded_with_its_reason(fresh: Project, visit: Visit) -> None:
    proposal = made.proposal(fresh, "p-1")
    question = made.record(fresh, proposal, made.diff_of("a.py", ["x"]), made.evidence(proposal, made.check("t")))
    with running(fresh):
        pass  # makes the database of the durable engine, which a real cycle has made by now
    client = visit(fresh)
    for body in ({"why": " ", "digest": question.digest}, {"why": "no"}, {"why": "no", "digest": "f" * 64}):
        assert client.post("/p/p-1/reject", data=body).status_code == 409
    answer = client.post("/p/p-1/reject", data={"why": "the caller is wrong", "digest": question.digest})
    assert (answer.status_code, answer.headers["location"]) == (303, "/p/p-1")
    recorded = fresh.ledger.latest("Approval")
    assert recorded and (recorded.data["answer"], recorded.data["why"]) == ("rejected", "the caller is wrong")


def test_another_site_cannot_reject(fresh: Project, visit: Visit) -> None:
    proposal = made.proposal(fresh, "p-1")
    question = made.record(fresh, proposal, made.diff_of("a.py", ["x"]), made.evidence(proposal, made.check("t")))
    body = {"why": "no", "digest": question.digest}
    answer = visit(fresh).post("/p/p-1/reject", data=body, headers={"Origin": "http://evil.example"})
    assert answer.status_code == 403


def test_a_server_that_others_reach_does_not_reject_in_its_own_name(fresh: Project, visit: Visit) -> None:
    proposal = made.proposal(fresh, "p-1")
    question = made.record(fresh, proposal, made.diff_of("a.py", ["x"]), made.evidence(proposal, made.check("t")))
    client = visit(fresh, WebSettings(host="192.0.2.1", names=("localhost",)))
    assert client.post("/p/p-1/reject", data={"why": "no", "digest": question.digest}).status_code == 409
    assert "cannot say who rejects" in client.get("/p/p-1/reject").text


def test_a_doubt_is_said_before_the_change_and_once(fresh: Project, visit: Visit) -> None:
    proposal = made.proposal(fresh, "p-1", "`a < b` & <i>more</i>")
    doubt = SafeguardResult("varied inputs", Verdict.INCONCLUSIVE, "3 inputs differ, as `f(<1>)`")
    reason = "tests: varied inputs: 3 inputs differ, as `f(<1>)`"
    result = made.check("t", verdict=Verdict.INCONCLUSIVE, reason=reason, safeguards=(doubt,))
    made.record(fresh, proposal, made.diff_of("a.py", ["x"]), made.evidence(proposal, result))
    html = visit(fresh).get("/p/p-1").text
    brief = html[html.index('id="brief"') : html.index('id="why"')]
    assert brief.count("3 inputs differ") == 1
    assert "<code>f(&lt;1&gt;)</code>" in brief
    assert "That is not a proof" in brief
    assert "<code>a &lt; b</code> &amp; &lt;i&gt;more" in html[html.index('id="title"') :]


def test_a_rollback_needs_a_reason_a_deployment_and_a_person_on_this_machine(fresh: Project, visit: Visit) -> None:
    proposal = made.proposal(fresh, "p-1")
    made.record(fresh, proposal, made.diff_of("a.py", ["x"]), made.evidence(proposal, made.check("t")))
    client, head = visit(fresh), fresh.ledger.head()
    for why, words in (("  ", "needs a reason"), ("it hurts", "was not deployed")):
        answer = client.post("/p/p-1/rollback", data={"why": why})
        assert (answer.status_code, words in answer.json()["detail"]) == (409, True), answer.text
    _, secret = create_token(fresh.state, "program", frozenset(TokenScope))
    client.cookies.clear()
    as_program = {"Authorization": f"Bearer {secret}"}
    assert client.post("/p/p-1/rollback", data={"why": "it hurts"}, headers=as_program).status_code == 409
    assert client.post("/p/p-1/rollback", data={"why": "it hurts"}).status_code == 401
    assert fresh.ledger.head() == head


def test_a_port_in_use_is_refused_in_a_sentence() -> None:
    with listen("127.0.0.1", 0) as first, pytest.raises(EnvironmentProblem, match="Address already in use") as problem:
        listen("127.0.0.1", first.getsockname()[1])
    assert "--port" in problem.value.remedy
