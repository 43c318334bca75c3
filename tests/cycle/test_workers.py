"""Searches with workers find the same patch, even if a worker is killed or refuses."""

import contextlib
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support import MakeRepo, Repo, configured_whet
from whet.app.project import open_project
from whet.store.advisory_lock import worker_is_alive

pytestmark = pytest.mark.slow
SLOW = """import time

from m import total


def test_total():
    time.sleep(0.06)
    assert total([1, 2, 3]) == 6


def test_nothing():
    assert total([]) == 0
"""
SOURCE = """def total(values):
    result = 0
    for index in range(len(values) - 1):
        result = result + values[index]
    return result
"""
RIGHT = "+    for index in range(len(values)):"


@pytest.fixture
def repo(make_repo: MakeRepo, postgres: str, monkeypatch: pytest.MonkeyPatch) -> Repo:
    """Each test run takes a while, so that a search lasts long enough for a worker to take part."""
    monkeypatch.setenv("WHET_STORE_URL", postgres)
    return make_repo({"m.py": SOURCE, "tests/test_m.py": SLOW, "whet.toml": ""})


def clone(repo: Repo, folder: Path) -> Repo:
    repo.sh("git", "clone", "--quiet", str(repo.root), str(folder))
    return Repo(folder)


@contextlib.contextmanager
def worker(repo: Repo) -> Iterator["subprocess.Popen[str]"]:
    """Start a real worker in its own checkout and wait until it is alive."""
    address = open_project(repo.root).work
    started = subprocess.Popen(
        [*configured_whet(), "worker", "--json"], cwd=repo.root, stdout=subprocess.PIPE, text=True
    )
    try:
        until = time.monotonic() + 60
        while not worker_is_alive(address):
            assert started.poll() is None, started.communicate()
            assert time.monotonic() < until
            time.sleep(0.1)
        yield started
    finally:
        started.kill()
        started.communicate()


def ended(process: "subprocess.Popen[str]") -> dict[str, int]:
    process.send_signal(signal.SIGINT)
    out, _ = process.communicate(timeout=60)
    assert process.returncode == 0, out
    stats: dict[str, int] = json.loads(out)
    return stats


def repaired(repo: Repo) -> bool:
    """True if repair finds the right patch."""
    result = repo.whet("repair", "tests/test_m.py::test_total", "--budget", "60", "--json")
    assert result.code == 0, result.out
    return RIGHT in result.json["patch"]["diff"]


def test_a_worker_tries_candidates_and_the_patch_is_the_same(repo: Repo, tmp_path: Path) -> None:
    with worker(clone(repo, tmp_path / "elsewhere")) as helping:
        assert repaired(repo)
        stats = ended(helping)
    assert stats["candidates"] >= stats["batches"] >= 1
    assert stats["refused"] == 0


@pytest.mark.long
def test_a_worker_helps_a_whole_run_too(repo: Repo, tmp_path: Path) -> None:
    """In a run the search is a step of the durable engine, which has its own tables in the same database."""
    with worker(clone(repo, tmp_path / "elsewhere")) as helping:
        result = repo.whet("run", "--json")
        assert result.code == 5, result.out
        assert ended(helping)["candidates"] >= 1
    proposal = repo.whet("list", "--json").json[0]["proposal"]
    assert repo.whet("approve", proposal, "--yes", "--json").code == 0
    assert repo.whet("audit", "--json").code == 0


@pytest.mark.long
def test_a_shallow_clone_searches_alone_and_cannot_serve(repo: Repo, tmp_path: Path) -> None:
    repo.commit({"notes.md": "later\n"})
    repo.sh("git", "clone", "--quiet", "--depth=1", f"file://{repo.root}", str(tmp_path / "shallow"))
    shallow = Repo(tmp_path / "shallow")
    assert repaired(shallow)
    result = shallow.whet("worker", "--json")
    assert result.code == 4
    assert "shallow clone" in result.json["error"]["message"]


def test_a_worker_that_is_killed_loses_nothing(repo: Repo, tmp_path: Path) -> None:
    with worker(clone(repo, tmp_path / "elsewhere")) as helping:
        argv = [*configured_whet(), "repair", "tests/test_m.py::test_total", "--budget", "60", "--json"]
        search = subprocess.Popen(argv, cwd=repo.root, stdout=subprocess.PIPE, text=True)
        assert wait_for_children(helping.pid), "the worker got no batch"
        os.kill(helping.pid, signal.SIGKILL)
        out, _ = search.communicate(timeout=120)
    assert search.returncode == 0, out
    assert RIGHT in json.loads(out)["patch"]["diff"]


def wait_for_children(pid: int) -> bool:
    """Return True when the worker has child processes: its sandboxes for a batch."""
    until = time.monotonic() + 60
    while time.monotonic() < until:
        if any(task.read_text().strip() for task in Path(f"/proc/{pid}/task").glob("*/children")):
            return True
        time.sleep(0.02)
    return False


def test_a_worker_without_the_commit_refuses_the_batch(repo: Repo, tmp_path: Path) -> None:
    elsewhere = clone(repo, tmp_path / "elsewhere")
    repo.commit({"notes.md": "later\n"})
    with worker(elsewhere) as helping:
        assert repaired(repo)
        stats = ended(helping)
    assert (stats["candidates"], stats["refused"]) == (0, 1)


def test_a_worker_without_a_database_is_refused(sample: Repo) -> None:
    result = sample.whet("worker", "--json")
    assert result.code == 2
    assert "WHET_STORE_URL is not set" in result.json["error"]["message"]
    script = (
        "import sys; from pathlib import Path; from whet.app.project import open_project; "
        "project = open_project(Path('.')); assert project.kit.crew() is None; "
        "sys.exit('whet.durable.queue' in sys.modules or 'dbos' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", script], cwd=sample.root, check=False).returncode == 0
