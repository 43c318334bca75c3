"""The service in real repositories: real processes, killed at any time."""

import os
import signal
import socket
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from errno import ENOSPC
from pathlib import Path

import pytest

from tests.phases.deploy.harness import proposal as harness_proposal
from tests.support import MakeRepo, Repo, configured_whet
from whet.app.project import Project, open_project
from whet.app.service.facts import read_facts
from whet.app.service.heartbeat import Heartbeat, beat, last_beat, take_service_lock
from whet.app.service.request import request_cycle
from whet.app.service.watched_repository import WatchedRepository
from whet.app.service.work import what_is_due, work
from whet.domain.clock import now
from whet.domain.trigger import Trigger, TriggerKind
from whet.errors import AlreadyRunning

POLICY = """environment = "development"
[tests]
runner = "none"
[observe]
sources = ["suggestions"]
[service]
poll_seconds = 0.2
debounce_seconds = 0
dry_run_days = 0
"""
LIMIT_SECONDS = 240.0


@pytest.fixture
def idle(make_repo: MakeRepo) -> Repo:
    """A repository in which every look finds nothing, and quickly."""
    return make_repo({"m.py": "x = 1\n", "whet.toml": POLICY, ".gitignore": ".whet/\n"})


def triggers(project: Project) -> list[Trigger]:
    return [entry.read(Trigger) for entry in project.ledger.entries(kind="Trigger")]


def until(condition: Callable[[], object]) -> None:
    deadline = time.monotonic() + LIMIT_SECONDS
    while not condition():
        assert time.monotonic() < deadline, "it took too long"
        time.sleep(0.05)


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as server:
        return int(server.getsockname()[1])


@contextmanager
def service(*repos: Repo, port: int = 0) -> Iterator[subprocess.Popen[bytes]]:
    options = [text for repo in repos for text in ("--repository", str(repo.root))]
    command = [*configured_whet(), "serve", "--no-open", "--port", str(port), *options]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, cwd="/")
    try:
        yield process
    finally:
        if process.poll() is None:
            process.kill()
        process.communicate()


def test_a_look_is_due_once_and_again_after_a_push(idle: Repo) -> None:
    project = open_project(idle.root)
    assert [done.reason for done in work(project)] == ["the first look"]
    assert work(project) == []
    idle.commit({"m.py": "x = 2\n"})
    assert [trigger.kind for trigger in (work(project), triggers(project))[1]] == [
        TriggerKind.PERIODIC,
        TriggerKind.PUSH,
    ]
    facts = read_facts(project.ledger)
    assert facts.last is not None
    assert (facts.last.base, facts.unfinished, facts.own_cycles_today) == (idle.head, (), 2)


def test_a_recorded_request_is_answered_as_a_persons_cycle(idle: Repo) -> None:
    project = open_project(idle.root)
    request = request_cycle(project, "before the release", "api")
    work(project)
    [trigger] = [trigger for trigger in triggers(project) if trigger.requests]
    assert (trigger.kind, trigger.requests) == (TriggerKind.HUMAN, (request.id,))
    assert what_is_due(project) is None


def test_a_cycle_that_was_recorded_and_never_started_is_finished_once(idle: Repo) -> None:
    project = open_project(idle.root)
    trigger = Trigger(id="c-cutoff01", kind=TriggerKind.PUSH, reason="killed", actor="", at=now())
    project.ledger.append("observe", trigger, subject=trigger.id, key=f"{trigger.id}/trigger")
    assert read_facts(project.ledger).unfinished == (trigger.id,)
    work(project)
    assert read_facts(project.ledger).unfinished == ()
    assert len(project.ledger.entries(kind="Lesson", subject=trigger.id)) == 1


def test_a_proposal_that_cannot_go_on_keeps_nothing_else_from_being_done(idle: Repo) -> None:
    """Its own next try comes later and later, and the heartbeat says what it waits for."""
    lines = list[str]()
    watched = WatchedRepository(idle.root, lines.append)
    project = watched._project
    try:
        made = replace(harness_proposal(idle.head), id="p-parked01")
        project.ledger.append("propose", made, subject=made.id, key=f"{made.id}/proposal")
        begun = watched._what_is_due()
        assert begun is not None
        assert begun.begun
        parked = {"proposal": made.id, "message": "uncommitted changes", "remedy": "commit them"}
        watched._note_parked([{"reason": "", "proposals": [{"proposal": made.id}], "result": "", "parked": [parked]}])
        watched._traces = ()
        next_due = watched._what_is_due()
        assert next_due is not None
        assert (next_due.begun, next_due.kind) == (False, TriggerKind.PERIODIC)
        assert "p-parked01 waits: uncommitted changes; next try in 15 s" in lines[-1]
        watched._note_parked([{"reason": "", "proposals": [{"proposal": made.id}], "result": "", "parked": [parked]}])
        assert "next try in 30 s" in lines[-1]
        watched._note_parked([{"reason": "", "proposals": [{"proposal": made.id}], "result": ""}])
        watched._traces = ()
        again = watched._what_is_due()
        assert again is not None
        assert again.begun
    finally:
        watched.close()


def test_a_second_service_is_refused_by_name(idle: Repo) -> None:
    state = open_project(idle.root).state
    lock = take_service_lock(state)
    beat(state, Heartbeat(pid=os.getpid(), started_at=now(), at=now(), poll_seconds=1.0))
    with pytest.raises(AlreadyRunning, match=str(os.getpid())):
        take_service_lock(state)
    os.close(lock)


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b'{"pid": "x"}', b"\xff\xfe", b"[" * 50000])
def test_a_broken_heartbeat_counts_as_none(idle: Repo, content: bytes) -> None:
    project = open_project(idle.root)
    project.store.close()
    (project.state / "service.json").write_bytes(content)
    assert last_beat(project.state) is None
    assert idle.whet("status").code == 0


def test_a_repository_cannot_bring_modules_into_the_service(idle: Repo, tmp_path: Path) -> None:
    proof = tmp_path / "imported"
    idle.write({"typer.py": f"open({str(proof)!r}, 'w')\n", "whet/__init__.py": f"open({str(proof)!r}, 'w')\n"})
    project = open_project(idle.root)
    with service(idle):
        until(lambda: triggers(project) and not read_facts(project.ledger).unfinished)
    assert not proof.exists()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("ending", "pages"),
    [
        (signal.SIGTERM, False),
        pytest.param(signal.SIGTERM, True, marks=pytest.mark.long),
        pytest.param(signal.SIGINT, True, marks=pytest.mark.long),
    ],
)
def test_a_signal_ends_the_child_at_work_too(idle: Repo, ending: signal.Signals, *, pages: bool) -> None:
    with service(idle, port=free_port() if pages else 0) as process:
        until(lambda: at_work(process.pid))
        children = at_work(process.pid)
        process.send_signal(ending)
        assert process.wait(LIMIT_SECONDS) in (0, 130)
        assert not [child for child in children if _command_of(child)]
    work(open_project(idle.root))
    assert read_facts(open_project(idle.root).ledger).unfinished == ()


@pytest.mark.slow
def test_the_service_serves_two_repositories_and_ends_in_order(make_repo: MakeRepo) -> None:
    files: dict[str, str | bytes] = {"m.py": "x = 1\n", "whet.toml": POLICY, ".gitignore": ".whet/\n"}
    repos = [make_repo(files), make_repo(files)]
    projects = [open_project(repo.root) for repo in repos]
    with service(*repos) as process:
        until(lambda: all(triggers(project) and not read_facts(project.ledger).unfinished for project in projects))
        assert "runs (process" in repos[0].whet("status").out
        process.send_signal(signal.SIGTERM)
        assert process.wait(LIMIT_SECONDS) == 0
    assert [len(triggers(project)) for project in projects] == [1, 1]
    assert "does not run" in repos[0].whet("status").out


@pytest.mark.long
def test_killing_the_service_and_its_child_again_and_again_loses_nothing_and_repeats_nothing(sample: Repo) -> None:
    with (sample.root / "whet.toml").open("a") as file:
        file.write("\n[service]\npoll_seconds = 0.2\ndebounce_seconds = 0\ndry_run_days = 0\n")
    project = open_project(sample.root)
    for seconds in (1.0, 2.0, 3.0, 5.0, 8.0):
        with service(sample) as process:
            time.sleep(seconds)
            for child in _children(process.pid):
                os.kill(child, signal.SIGKILL)
            process.kill()
    with service(sample):
        until(lambda: read_facts(project.ledger).waiting)
    assert len(triggers(project)) == 1
    assert len(project.ledger.entries(kind="Proposal")) == 1
    assert len(project.ledger.entries(kind="Build")) == 1
    assert sample.whet("audit").code == 0


def _children(pid: int) -> list[int]:
    path = Path(f"/proc/{pid}/task/{pid}/children")
    return [int(child) for child in path.read_text().split()] if path.exists() else []


def at_work(pid: int) -> list[int]:
    """Return the children that work for the service. Any thread of the service may have started them."""
    lists = [path.read_text().split() for path in Path(f"/proc/{pid}/task").glob("*/children")]
    return [int(child) for children in lists for child in children if b"--once" in _command_of(int(child))]


def _command_of(pid: int) -> bytes:
    """Return the command line of a process; empty if it has ended."""
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return b""


def test_a_heartbeat_that_cannot_be_written_is_logged_once_until_it_can(
    idle: Repo, monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = list[str]()
    watched = WatchedRepository(idle.root, lines.append)
    try:
        for error in (ENOSPC, ENOSPC, None, ENOSPC):
            _beat_with(monkeypatch, error)
            watched.tick(may_start=False)
    finally:
        watched.close()
    assert [line.partition(": ")[2] for line in lines] == [
        "the state of the service cannot be written: No space left on device"
    ] * 2


def _beat_with(monkeypatch: pytest.MonkeyPatch, error: int | None) -> None:
    """Let the next heartbeats fail with an error of the system; None: let them be written."""

    def fail(*_: object) -> None:
        if error:
            raise OSError(error, os.strerror(error))

    monkeypatch.setattr("whet.app.service.watched_repository.beat", fail)
