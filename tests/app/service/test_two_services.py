"""Two services share repositories: each cycle runs once, and where one service is killed, the other goes on."""

import os
import signal
import subprocess
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest

from tests.app.service.test_service import POLICY, at_work, triggers, until
from tests.support import MakeRepo, Repo, configured_whet
from whet.app.project import open_project
from whet.app.service.facts import read_facts
from whet.app.service.heartbeat import take_service_lock
from whet.app.setup.sample_repository import make_sample
from whet.errors import AlreadyRunning

SERVICE = "\n[service]\npoll_seconds = 0.2\ndebounce_seconds = 0\ndry_run_days = 0\n"
REPOSITORIES = 4


@pytest.fixture(params=["files", "postgresql"])
def samples(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[Repo]:
    """Four repositories with one bug each, with their records in files or in one PostgreSQL."""
    if request.param == "postgresql":
        monkeypatch.setenv("WHET_STORE_URL", request.getfixturevalue("postgres"))
    repos = []
    for number in range(REPOSITORIES):
        folder = tmp_path / f"calculator{number}"
        folder.mkdir()
        make_sample(folder, bugs=["factorial"])
        with (folder / "whet.toml").open("a") as file:
            file.write(SERVICE)
        repos.append(Repo(folder))
    return repos


@contextmanager
def sharing(repos: list[Repo], log: Path) -> Iterator[subprocess.Popen[bytes]]:
    """Start a service that shares these repositories and works on one at a time. It is killed at the end."""
    options = [text for repo in repos for text in ("--repository", str(repo.root))]
    command = [*configured_whet(), "serve", "--share", "--at-once", "1", "--port", "0", *options]
    with log.open("wb") as output, subprocess.Popen(command, stdout=output, cwd="/") as process:
        try:
            yield process
        finally:
            process.kill()


@pytest.mark.long
def test_cycles_are_shared_and_the_work_of_a_killed_service_is_finished_once(
    samples: list[Repo], tmp_path: Path
) -> None:
    projects = [open_project(repo.root) for repo in samples]
    logs = [tmp_path / "first.log", tmp_path / "second.log"]
    with ExitStack() as running:
        first, second = (running.enter_context(sharing(samples, log)) for log in logs)
        until(lambda: at_work(first.pid) and at_work(second.pid))
        first.kill()
        first.wait()
        until(lambda: all(read_facts(project.ledger).waiting for project in projects))
        until(lambda: not at_work(second.pid))
        second.send_signal(signal.SIGTERM)
        assert second.wait() == 0
    assert all(b"the first look" in log.read_bytes() for log in logs)
    for repo, project in zip(samples, projects, strict=True):
        for kind in ("Trigger", "Proposal", "Build", "Evidence"):
            assert len(project.ledger.entries(kind=kind)) == 1, kind
        assert len(triggers(project)) == 1
        assert repo.whet("audit").code == 0


def test_a_service_shares_only_with_one_that_shares_too(make_repo: MakeRepo) -> None:
    repo = make_repo({"m.py": "x = 1\n", "whet.toml": POLICY, ".gitignore": ".whet/\n"})
    state = open_project(repo.root).state
    locks = [take_service_lock(state, shared=True), take_service_lock(state, shared=True)]
    with pytest.raises(AlreadyRunning) as refused:
        take_service_lock(state)
    assert "--share" in refused.value.remedy
    for lock in locks:
        os.close(lock)
    alone = take_service_lock(state)
    with pytest.raises(AlreadyRunning):
        take_service_lock(state, shared=True)
    os.close(alone)
