"""A web application on a real repository, and clients that are signed in."""

from collections.abc import Callable
from pathlib import Path

import pytest
from fastapi import FastAPI
from starlette.testclient import TestClient

from tests.support import Repo
from whet.app.project import open_project
from whet.app.repository import Repository
from whet.app.sample_repository import make_sample
from whet.app.tokens import TokenScope, create_token
from whet.web.server import create_app, entry_link
from whet.web.settings import WebSettings

SETTINGS = WebSettings(poll_seconds=0.02)


@pytest.fixture(scope="session")
def waiting(tmp_path_factory: pytest.TempPathFactory) -> Repo:
    """A repository with one proposal that waits for a person. Tests read it and add suggestions."""
    folder = tmp_path_factory.mktemp("web") / "calculator"
    folder.mkdir()
    make_sample(folder, bugs=["factorial"])
    repo = Repo(folder)
    repo.whet("run", "--json")
    return repo


def app_of(root: Path, settings: WebSettings = SETTINGS) -> FastAPI:
    return create_app(Repository(open_project(root)), settings=settings)


@pytest.fixture(scope="session")
def app(waiting: Repo) -> FastAPI:
    return app_of(waiting.root)


@pytest.fixture
def stranger(app: FastAPI) -> TestClient:
    """A client that is not signed in."""
    return TestClient(app, base_url="http://localhost:8787", follow_redirects=False)


@pytest.fixture
def browser(app: FastAPI, stranger: TestClient) -> TestClient:
    """A client that opened the one-time link."""
    assert stranger.get(entry_link(app)).status_code == 303
    return stranger


@pytest.fixture
def program(app: FastAPI, waiting: Repo) -> Callable[..., TestClient]:
    """Make clients with a token of the given scopes."""
    made: list[str] = []

    def make(*scopes: str) -> TestClient:
        name = f"t{len(made)}-{'-'.join(scopes) or 'none'}-{id(made)}"
        _, secret = create_token(waiting.root / ".whet", name, frozenset(map(TokenScope, scopes)))
        made.append(name)
        headers = {"Authorization": f"Bearer {secret}"}
        return TestClient(app, base_url="http://localhost:8787", headers=headers, follow_redirects=False)

    return make
