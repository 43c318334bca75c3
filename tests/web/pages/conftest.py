"""A browser on a repository whose record the tests write."""

from collections.abc import Callable
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from tests.web.pages import made
from whet.app.project import Project
from whet.app.repository import Repository
from whet.web.server import create_app, entry_link
from whet.web.settings import WebSettings


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Project:
    return made.open_made(tmp_path_factory.mktemp("made"))


@pytest.fixture
def fresh(tmp_path: Path) -> Project:
    """A project that one test alone writes to."""
    return made.open_made(tmp_path)


Visit = Callable[..., TestClient]


@pytest.fixture
def visit() -> Visit:
    """Make a client that is signed in."""

    def signed_in(project: Project, settings: WebSettings | None = None) -> TestClient:
        app = create_app(Repository(project), settings=settings or WebSettings())
        client = TestClient(app, base_url="http://localhost:8787", follow_redirects=False)
        assert client.get(entry_link(app)).status_code == 303
        return client

    return signed_in
