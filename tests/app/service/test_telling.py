"""Notifications and webhooks beside the service, with and without pages."""

import json
from threading import Event

import pytest

from tests.app.notify.test_notifier import ask
from tests.receivers import http_receiver
from tests.support import Repo
from whet.app.notify.channels import VARIABLE
from whet.app.project import open_project
from whet.app.service.telling import Teller, telling
from whet.app.webhooks.endpoints import add_endpoint

pytestmark = pytest.mark.filterwarnings("ignore:'imghdr' is deprecated")  # apprise imports it


def test_a_service_tells_people_and_endpoints(sample: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    project, lines = open_project(sample.root), list[str]()
    ask(project)
    with http_receiver() as people, http_receiver() as programs:
        monkeypatch.setenv(VARIABLE, f"json://127.0.0.1:{people.port}/")
        add_endpoint(project.state, f"http://127.0.0.1:{programs.port}/hook", (), 0)
        ask(project, "p-2")
        teller = Teller(sample.root, "http://localhost:8787/r/calc", lines.append)
        teller.tell()
        teller.tell()
        teller.close()
    texts = [json.loads(body)["message"] for _, _, body in people.requests]
    assert len(texts) == 2
    assert all("http://localhost:8787/r/calc/p/p-" in text for text in texts)
    assert "whet.Question" in {json.loads(body)["type"] for _, _, body in programs.requests}
    assert lines == []


def test_a_problem_is_logged_once_and_ends_nothing(sample: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, "nothing://user:secret-word@x")
    lines, logged = list[str](), Event()

    def log(line: str) -> None:
        lines.append(line)
        logged.set()

    with telling({sample.root: ""}, log, seconds=0.01):
        assert logged.wait(60)
        (sample.root / "whet.toml").write_text("nonsense = [")
        logged.clear()
        assert logged.wait(60)
    assert len(lines) == 2
    assert "secret-word" not in "".join(lines)
