"""Several repositories on one server: each has its own pages, REST, events and tokens."""

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest
from fastapi import FastAPI
from starlette.testclient import TestClient

from tests.web.conftest import SETTINGS
from whet.app.project import Project, open_project
from whet.app.repository import Repository
from whet.app.setup.sample_repository import make_sample
from whet.app.tokens import TokenScope, create_token
from whet.domain.clock import now
from whet.domain.reported_event import EventKind
from whet.store.events import Events
from whet.web.hub import create_server_app, sites_of
from whet.web.server import entry_link

PATHS = ("", "findings", "ledger", "policy", "api/v1/status", "api/v1/ledger", "api/v1/policy")


@pytest.fixture(scope="module")
def projects(tmp_path_factory: pytest.TempPathFactory) -> list[Project]:
    folder = tmp_path_factory.mktemp("hub")
    roots = [folder / "calc", folder / "other" / "calc", folder / "a name with spaces"]
    for root in roots:
        root.mkdir(parents=True)
        make_sample(root)
    return [open_project(root, local=True) for root in roots]


@pytest.fixture(scope="module")
def app(projects: list[Project]) -> Iterator[FastAPI]:
    app = create_server_app([Repository(project) for project in projects], settings=SETTINGS)
    with TestClient(app):
        yield app


@pytest.fixture
def client(app: FastAPI) -> TestClient:
    return TestClient(app, base_url="http://localhost:8787", follow_redirects=False)


@pytest.fixture
def browser(app: FastAPI, client: TestClient) -> TestClient:
    answer = client.get(entry_link(app))
    assert (answer.status_code, answer.headers["location"]) == (303, "/")
    return client


def token(project: Project, scope: TokenScope = TokenScope.READ) -> dict[str, str]:
    name = f"t{len(list(Path(project.state).glob('*')))}-{id(object())}"
    _, secret = create_token(project.state, name, frozenset({scope}))
    return {"Authorization": f"Bearer {secret}"}


def test_the_list_names_every_repository_once(browser: TestClient, projects: list[Project]) -> None:
    rows = browser.get("/api/v1/repositories").json()["repositories"]
    assert [row["name"] for row in rows] == ["calc", "calc-2", "a-name-with-spaces"]
    assert [row["path"] for row in rows] == [str(project.git.root) for project in projects]
    page = browser.get("/", headers={"Accept": "text/html"}).text
    assert all(f'href="/r/{row["name"]}/"' in page for row in rows)


def test_each_repository_has_its_own_pages_and_rest(app: FastAPI, browser: TestClient, projects: list[Project]) -> None:
    projects[1].ledger.append("observe", {"note": "here"}, subject="only-here", key="hub/only-here", kind="Note")
    for site in sites_of(app):
        for path in PATHS:
            answer = browser.get(f"{site.root}/{path}")
            assert answer.status_code == 200, (site.root, path, answer.text)
        rows = browser.get(f"{site.root}/api/v1/ledger?kind=Note").json()["entries"]
        assert bool(rows) is (site.name == "calc-2")
        page = browser.get(f"{site.root}/ledger").text
        assert f'href="{site.root}/findings"' in page
        assert f'data-events="{site.root}/api/v1/events"' in page
        assert ' href="/ledger' not in page


def test_a_token_reads_only_its_own_repository(client: TestClient, projects: list[Project]) -> None:
    mine = token(projects[0])
    assert client.get("/r/calc/api/v1/status", headers=mine).status_code == 200
    assert client.get("/r/calc-2/api/v1/status", headers=mine).status_code == 401
    rows = client.get("/api/v1/repositories", headers=mine).json()["repositories"]
    assert [row["name"] for row in rows] == ["calc"]


def test_telemetry_goes_to_the_repository_in_its_address(client: TestClient, projects: list[Project]) -> None:
    at = str(round(now().timestamp() * 1e9))
    span = {"name": "work", "traceId": "1" * 32, "spanId": "2" * 16, "startTimeUnixNano": at, "status": {"code": 2}}
    export = {"resourceSpans": [{"scopeSpans": [{"spans": [span]}]}]}
    mine = token(projects[1], TokenScope.SEND)
    assert client.post("/r/calc-2/v1/traces", json=export, headers=mine).status_code == 200
    assert client.post("/r/calc/v1/traces", json=export, headers=mine).status_code == 401
    stored = [
        list(Events(project.state).since("otlp", now() - timedelta(hours=1), EventKind.SPAN)) for project in projects
    ]
    assert list(map(len, stored)) == [0, 1, 0]


def test_a_session_from_a_token_reads_only_that_repository(client: TestClient, projects: list[Project]) -> None:
    secret = token(projects[1])["Authorization"].partition(" ")[2]
    assert client.post("/r/calc/enter", data={"token": secret}).status_code == 401
    answer = client.post("/r/calc-2/enter", data={"token": secret})
    assert (answer.status_code, answer.headers["location"]) == (303, "/r/calc-2/")
    assert client.get("/r/calc-2/ledger").status_code == 200
    assert client.get("/r/calc/ledger").status_code == 401
    assert [row["name"] for row in client.get("/api/v1/repositories").json()["repositories"]] == ["calc-2"]


@pytest.mark.parametrize("path", ["/", "/api/v1/repositories", "/r/calc/", "/r/calc/mcp", "/r/calc/api/v1/events"])
def test_nothing_is_read_without_a_session_or_token(client: TestClient, path: str) -> None:
    assert client.get(path).status_code == 401
    assert client.get(path, headers={"Host": "evil.example"}).status_code == 421


def test_a_repository_that_cannot_be_read_leaves_the_others_readable(
    browser: TestClient, projects: list[Project]
) -> None:
    policy = projects[2].git.root / "whet.toml"
    text = policy.read_text()
    policy.write_text("nonsense = [")
    try:
        rows = browser.get("/api/v1/repositories").json()["repositories"]
        assert [bool(row["problem"]) for row in rows] == [False, False, True]
        assert browser.get("/").status_code == 200
    finally:
        policy.write_text(text)


def test_one_repository_stays_at_the_root(projects: list[Project]) -> None:
    [site] = sites_of(create_server_app([Repository(projects[0])], settings=SETTINGS))
    assert (site.root, site.url) == ("", "http://localhost:8787")


def test_an_error_is_a_page_that_offers_to_sign_in(client: TestClient) -> None:
    page = client.get("/r/calc/findings", headers={"Accept": "text/html"}).text
    assert 'action="/r/calc/enter"' in page
    assert 'href="/r/calc/static/' in page


def test_a_missing_proposal_is_a_page_of_its_repository(browser: TestClient) -> None:
    missing = browser.get("/r/calc/p/p-nothing", headers={"Accept": "text/html"})
    assert missing.status_code == 404
    assert "there is no proposal" in missing.text
    assert 'href="/r/calc/"' in missing.text
