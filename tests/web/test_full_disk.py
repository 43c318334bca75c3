"""`whet serve` on a file system that is full: it reads, refuses to record, loses nothing, and goes on when there is room."""

import contextlib
import subprocess
import time
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

import httpx2
import pytest

from tests.app.service.test_service import free_port
from tests.cli.test_state import fill
from tests.support import configured_whet
from tests.web.pages import made
from whet.app.agent_notes.ask import ask_people, inquiry_state
from whet.app.project import Project, open_project
from whet.app.service.heartbeat import last_beat
from whet.app.setup.sample_repository import make_sample
from whet.app.tokens import TokenScope, create_token
from whet.domain.clock import now

FIX = """--- a/calculator.py
+++ b/calculator.py
@@ -29,3 +29,3 @@
     result = 1
-    for factor in range(2, n):
+    for factor in range(2, n + 1):
         result *= factor
"""
PAGES = ("/", "/p/p-1", "/findings", "/ledger", "/policy")
RESOURCES = ("status", "proposals", "proposals/p-1", "ledger", "budget", "policy")
PAGE = {"Accept": "text/html"}
MEGABYTES = 6


@dataclass(frozen=True)
class SmallDisk:
    """A repository with its record and its witness on a file system of a few megabytes."""

    folder: Path
    project: Project

    @contextlib.contextmanager
    def full(self) -> Iterator[None]:
        """Leave no room on the disk until the block ends."""
        fill(self.folder / "fill")
        try:
            yield
        finally:
            (self.folder / "fill").unlink()


@pytest.fixture
def disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[SmallDisk]:
    folder = tmp_path / "small"
    folder.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", f"size={MEGABYTES}m,mode=0700", "tmpfs", str(folder)]
    if subprocess.run(command, capture_output=True, check=False).returncode:
        pytest.skip("no tmpfs can be mounted here")
    try:
        monkeypatch.setenv("XDG_STATE_HOME", str(folder / "state"))
        root = folder / "calculator"
        root.mkdir()
        make_sample(root, bugs=["factorial"])
        with (root / "whet.toml").open("a") as file:
            file.write(
                "\n[service]\nevery_hours = 0\npoll_seconds = 0.2\n"
            )  # no look: the disk alone decides what happens
        project = open_project(root)
        proposal = made.proposal(project, "p-1")
        proof = made.evidence(proposal, made.check("t"))
        made.record(project, proposal, made.diff_of("calculator.py", ["x = 1"]), proof)
        yield SmallDisk(folder, project)
    finally:
        subprocess.run(["umount", "--lazy", str(folder)], check=True)


@contextlib.contextmanager
def served(project: Project) -> Iterator[tuple[httpx2.Client, "subprocess.Popen[bytes]"]]:
    """Run `whet serve` on a free port, and give a client with a token of every scope."""
    _, secret = create_token(project.state, "agent", frozenset(TokenScope))
    port = free_port()
    command = [*configured_whet(), "serve", "--no-open", "--port", str(port)]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, cwd=project.git.root)
    address, token = f"http://localhost:{port}", {"Authorization": f"Bearer {secret}"}
    try:
        with httpx2.Client(base_url=address, headers=token, timeout=60) as client:
            end = time.monotonic() + 120
            while not _answers(client):
                assert process.poll() is None
                assert time.monotonic() < end
                time.sleep(0.05)
            yield client, process
    finally:
        if process.poll() is None:
            process.kill()
        process.wait()


def _answers(client: httpx2.Client) -> bool:
    with contextlib.suppress(httpx2.TransportError):
        return client.get("/api/v1/status").status_code == 200
    return False


def suggest(client: httpx2.Client, key: str) -> httpx2.Response:
    """Send a large suggestion that is recorded once for its key."""
    new = {"text": f"{key} {'word ' * 3_900}"}
    return client.post("/api/v1/suggestions", json=new, headers={"Idempotency-Key": key})


def suggest_until_refused(client: httpx2.Client) -> tuple[list[str], list[str]]:
    """Send suggestions until three were refused for want of room. Return the keys of those taken and of those refused.

    Some may be taken on a full disk: the database has room in the files that it has.
    """
    taken: list[str] = []
    refused: list[str] = []
    while len(refused) < 3:
        key = f"full-{len(taken) + len(refused)}"
        answer = suggest(client, key)
        if answer.status_code == 201:
            taken.append(key)
        else:
            assert is_full(answer)
            refused.append(key)
        assert len(taken) < 20 * MEGABYTES
    return taken, refused


def is_full(answer: httpx2.Response) -> bool:
    """True if the answer is a problem that names the full disk and the remedy."""
    problem = answer.json()
    assert answer.headers["content-type"] == "application/problem+json"
    assert answer.status_code == problem["status"] == 503, problem
    assert "free some disk space" in problem["remedy"], problem
    return True


@contextlib.contextmanager
def browser_of(client: httpx2.Client) -> Iterator[httpx2.Client]:
    """Give a client that is signed in as a browser is: with a session."""
    origin = str(client.base_url).rstrip("/")
    with httpx2.Client(base_url=client.base_url, headers={"Origin": origin, **PAGE}, timeout=60) as browser:
        secret = client.headers["authorization"].removeprefix("Bearer ")
        assert browser.post("/enter", data={"token": secret}).status_code == 303
        yield browser


def test_a_server_on_a_full_disk_reads_refuses_and_loses_nothing(disk: SmallDisk) -> None:
    project = disk.project
    asked = ask_people(project, "Which calendar?", "agent:author")
    with served(project) as (client, process), browser_of(client) as browser:
        assert suggest(client, "before").status_code == 201
        head = project.ledger.head().seq
        with client.stream("GET", "/api/v1/events", params={"after": head}) as events:
            with disk.full():
                taken, refused = suggest_until_refused(client)
                assert [path for path in PAGES if browser.get(path).status_code != 200] == []
                assert [name for name in RESOURCES if client.get(f"/api/v1/{name}").status_code != 200] == []
                assert is_full(client.post("/api/v1/proofs", json={"patch": FIX}))
                page = browser.post(f"/inquiries/{asked.id}", data={"text": "ours"})
                assert (page.status_code, "free some disk space" in page.text) == (503, True)
                assert page.headers["content-type"].startswith("text/html")
                _wait_for_beat_after(disk.project, now())
                assert client.get("/api/v1/status").json()["serving"]
                assert process.poll() is None
            assert [suggest(client, key).status_code for key in refused] == [201] * len(refused)
            assert browser.post(f"/inquiries/{asked.id}", data={"text": "ours"}).status_code == 303
            told = _kinds_until(events, "InquiryReply")
        process.terminate()
        assert process.wait(60) == 0
    texts = [entry.data["text"].split()[0] for entry in project.ledger.entries(kind="Suggestion")]
    assert sorted(texts) == sorted(["before", *taken, *refused])
    assert told.count("Suggestion") == len([*taken, *refused])
    assert inquiry_state(project.ledger, asked.id).state == "answered"
    project.ledger.refuse_if_damaged()


def _wait_for_beat_after(project: Project, at: datetime) -> None:
    """Wait until the service has given a sign of life after a time."""
    end = time.monotonic() + 60
    while (heartbeat := last_beat(project.state)) is None or heartbeat.at < at:
        assert time.monotonic() < end
        time.sleep(0.05)


def _kinds_until(events: httpx2.Response, last: str) -> list[str]:
    """Return the names of the events up to and with the first one of the kind `last`."""
    kinds: list[str] = []
    for line in events.iter_lines():
        if line.startswith("event: "):
            kinds.append(line.removeprefix("event: "))
        if kinds[-1:] == [last]:
            return kinds
    raise AssertionError(f"the stream ended after {kinds}")
