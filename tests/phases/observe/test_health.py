"""A probe that fails in three looks is a finding; one that is well is not."""

import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from tests.support import MakeRepo, Repo
from whet.app.project import open_project
from whet.config import parse
from whet.domain.reported import RecurringFailure
from whet.domain.signal import Signal
from whet.errors import BadConfig
from whet.phases.observe.health import Health
from whet.store.codec import decode

STATUSES = {"/well": 200, "/ill": 503, "/moved": 302}


@pytest.fixture
def address(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(STATUSES[self.path])
            self.send_header("Location", "/well")
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, *_: object) -> None: ...

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    monkeypatch.setenv("WHET_HEALTH_HOSTS", f"127.0.0.1:9,127.0.0.1:{server.server_port}")
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    thread.join()
    server.server_close()


def looks(repo: Repo, number: int) -> tuple[Signal, ...]:
    project = open_project(repo.root)
    health = Health(project.kit)
    signals: tuple[Signal, ...] = ()
    for _ in range(number):
        signals = health.observe("HEAD")
    return signals


def probe(name: str, what: str) -> str:
    return f'[[sources.health]]\nname = "{name}"\n{what}\nseconds = 60\n'


def test_addresses_and_commands_are_asked_and_failures_counted(make_repo: MakeRepo, address: str) -> None:
    policy = '[target]\nbranch = "main"\n' + "".join(
        [
            probe("well", f'url = "{address}/well"'),
            probe("ill", f'url = "{address}/ill"'),
            probe("moved", f'url = "{address}/moved"'),
            probe("gone", 'url = "http://127.0.0.1:9/"'),
            probe("works", 'command = ["python", "-c", "import shop"]'),
            probe("broken", 'command = ["python", "-c", "import shop; shop.nothing"]'),
        ]
    )
    repo = make_repo({"shop.py": "", "whet.toml": policy})
    assert looks(repo, 2) == ()
    signals = looks(repo, 1)
    messages = {
        signal.subject: facts.message
        for signal in signals
        if (facts := decode(RecurringFailure, signal.payload)).message
    }
    assert messages == {
        "ill": "status 503 instead of 200",
        "moved": "status 302 instead of 200",
        "gone": "no answer (ConnectionRefusedError)",
        "broken": "exit code 1",
    }


def test_an_answer_that_is_too_slow_is_a_failure(make_repo: MakeRepo, address: str) -> None:
    policy = f'[target]\nbranch = "main"\n[[sources.health]]\nname = "a"\nurl = "{address}/well"\nseconds = 1e-9\n'
    signals = looks(make_repo({"a.py": "", "whet.toml": policy}), 3)
    assert decode(RecurringFailure, signals[0].payload).message == "slower than 1e-09 s"


@pytest.mark.parametrize("wrong", ["", 'url = "http://a"\ncommand = ["b"]', 'url = "file:///etc/passwd"'])
def test_a_probe_asks_an_http_address_or_runs_a_command(wrong: str) -> None:
    with pytest.raises(BadConfig):
        parse(f'[[sources.health]]\nname = "a"\n{wrong}\n'.encode())


def test_an_address_that_the_user_has_not_listed_is_not_asked(
    make_repo: MakeRepo, address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    repo = make_repo({"whet.toml": probe("ill", f'url = "{address}/ill"')})
    monkeypatch.delenv("WHET_HEALTH_HOSTS")
    health = Health(open_project(repo.root).kit)
    assert [health.observe("HEAD") for _ in range(3)] == [(), (), ()]
    assert "WHET_HEALTH_HOSTS" in " ".join(health.skipped)
