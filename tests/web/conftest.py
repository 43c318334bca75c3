"""A web application on a real repository, and clients that are signed in."""

import os
from collections.abc import Callable, Iterable
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest
from fastapi import FastAPI
from starlette.testclient import TestClient

from tests.ledger.test_invariants import Row, Scenario, diagnosis
from tests.support import Repo
from whet.app.project import open_project
from whet.app.repository import Repository
from whet.app.setup.sample_repository import make_sample
from whet.app.tokens import TokenScope, create_token
from whet.domain.clock import now
from whet.domain.evidence import Evidence
from whet.domain.patch import Patch
from whet.ledger.ledger import Ledger
from whet.web.server import create_app, entry_link
from whet.web.settings import WebSettings

FIX = """--- a/calculator.py
+++ b/calculator.py
@@ -29,3 +29,3 @@
     result = 1
-    for factor in range(2, n):
+    for factor in range(2, n + 1):
         result *= factor
"""
SETTINGS = WebSettings(poll_seconds=0.02)


class Waiting(Scenario):
    """A cycle whose proposal waits at the apply gate. Its patch is a real one of the sample repository."""

    def patch(self) -> Patch:
        return PATCHES[self.proposal]

    def evidence(self) -> Evidence:
        patch = self.patch()
        return replace(super().evidence(), base=patch.base, tree=patch.tree, patch_digest=patch.digest)


PATCHES: dict[str, Patch] = {}


def record(ledger: Ledger, rows: Iterable[Row]) -> None:
    for row in rows:
        ledger.append(row.phase, row.noun, subject=row.subject, key=row.key, kind=row.kind)


@pytest.fixture(scope="session")
def waiting(tmp_path_factory: pytest.TempPathFactory) -> Repo:
    """A repository with a merged proposal, p-1, and one that waits for a person, p-2. Tests read it and add to it."""
    umask = os.umask(0o077)
    folder = tmp_path_factory.mktemp("web") / "calculator"
    folder.mkdir()
    make_sample(folder, bugs=["factorial"])
    project = open_project(folder)
    base = project.git.resolve("HEAD")
    tree = project.git.apply(base, FIX.encode())
    assert tree
    PATCHES["p-1"] = PATCHES["p-2"] = project.git.patch(base, tree, "Repair factorial")
    record(project.ledger, [Row("diagnose", (diagnosis().finding,), "c-1", "c-1/diagnose/find", "Findings")])
    record(project.ledger, Waiting().rows())
    second = Waiting(cycle="c-2", proposal="p-2")
    asked = [row for row in second.until_applied() if row.name not in ("Approval", "Look")]
    question = replace(asked[-1].noun, asked_at=now(), expires_at=now() + timedelta(days=7))
    record(project.ledger, [*second.until_proposed(), *asked[:-1], replace(asked[-1], noun=question)])
    os.umask(umask)
    return Repo(folder)


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
