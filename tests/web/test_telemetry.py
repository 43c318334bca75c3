"""The server takes in telemetry of applications that have a token for it, and of nobody else."""

import gzip
import json
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from starlette.testclient import TestClient

from tests.support import MakeRepo
from whet.app.project import Project, open_project
from whet.app.repository import Repository
from whet.app.tokens import create_token, parse_scopes
from whet.domain.clock import now
from whet.domain.reported_event import EventKind
from whet.store.events import Events
from whet.web.server import create_app
from whet.web.settings import WebSettings

POLICY = '[observe]\nsources = ["suggestions", "otlp"]\n'
JSON = {"content-type": "application/json"}


@pytest.fixture
def project(make_repo: MakeRepo) -> Project:
    return open_project(make_repo({"whet.toml": POLICY, "shop.py": "x = 1\n"}).root)


@pytest.fixture
def client(project: Project) -> Iterator[TestClient]:
    settings = WebSettings()
    with TestClient(create_app(Repository(project), settings=settings), base_url=settings.url) as made:
        yield made


def spans(number: int) -> dict[str, Any]:
    """Return an export of so many failed spans."""
    at = str(round(now().timestamp() * 1e9))
    rows = [
        {
            "name": "work",
            "traceId": f"{each:032x}",
            "spanId": f"{each:016x}",
            "startTimeUnixNano": at,
            "status": {"code": 2},
        }
        for each in range(1, number + 1)
    ]
    return {"resourceSpans": [{"scopeSpans": [{"spans": rows}]}]}


def bearer(project: Project, *scopes: str) -> dict[str, str]:
    _, secret = create_token(project.state, "-".join(scopes), parse_scopes(scopes))
    return {**JSON, "authorization": f"Bearer {secret}"}


def test_an_export_with_a_token_for_it_is_stored(project: Project, client: TestClient) -> None:
    headers = {**bearer(project, "send"), "content-encoding": "gzip"}
    body = gzip.compress(json.dumps(spans(3)).encode())
    answer = client.post("/v1/traces", content=body, headers=headers)
    assert (answer.status_code, answer.json()) == (200, {})
    assert len(list(Events(project.state).since("otlp", now() - timedelta(days=1), EventKind.SPAN))) == 3


def test_a_token_that_only_sends_reads_nothing_and_others_do_not_send(project: Project, client: TestClient) -> None:
    only_sends = bearer(project, "send")
    assert client.get("/api/v1/proposals", headers=only_sends).status_code == 403
    assert client.post("/v1/traces", json=spans(1), headers=bearer(project, "read")).status_code == 403
    assert client.post("/v1/traces", json=spans(1)).status_code == 401
    assert not Events(project.state).exist


def test_telemetry_that_no_source_reads_is_refused_with_the_remedy(project: Project, client: TestClient) -> None:
    headers = bearer(project, "send")
    (project.git.root / "whet.toml").write_text(POLICY.replace(', "otlp"', ""))
    answer = client.post("/v1/logs", json={}, headers=headers)
    assert answer.status_code == 404
    assert 'add "otlp" to observe.sources' in answer.json()["remedy"]
