"""The kill switch, and two whets at once: what runs ends within a second, what waits goes on afterwards."""

import contextlib
import fcntl
import json
import os
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.cli.conftest import Fork
from tests.cli.words import SMALL, refuses, refuses_in_json
from tests.support import WHET, MakeRepo, Repo, Said

SLOW = """import time

from m import f


def test_f():
    for _ in range(600):
        if not __import__("os").path.exists("slow"):
            break
        time.sleep(0.05)
    assert f() == 1
"""


@pytest.fixture
def slow(make_repo: MakeRepo) -> Repo:
    """A suite that takes half a minute as long as a file `slow` lies in the tree."""
    return make_repo({**SMALL, "m.py": "def f():\n    return 2\n", "tests/test_m.py": SLOW, "slow": ""})


def begin(repo: Repo, *args: str) -> "subprocess.Popen[str]":
    return subprocess.Popen(
        [*WHET, *args], cwd=repo.root, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        stdin=subprocess.DEVNULL, env=os.environ,
    )  # fmt: skip


def end(child: "subprocess.Popen[str]") -> Said:
    out, err = child.communicate(timeout=60)
    assert "Traceback" not in err
    return Said(child.returncode, out, err)


def until_at_work(repo: Repo) -> None:
    """Until the first step of a cycle is on record: the suite is then about to run, or runs."""
    lock, deadline = repo.root / ".whet" / "engine.lock", time.monotonic() + 30
    while time.monotonic() < deadline:
        if lock.exists() and lock.read_text().strip() and "observe/base" in ledger(repo.root):
            time.sleep(0.5)
            return
        time.sleep(0.05)
    raise AssertionError("it did not start")


def ledger(root: Path) -> str:
    import sqlite3

    connection = sqlite3.connect(f"file:{root / '.whet' / 'whet.sqlite'}?mode=ro", uri=True)
    try:
        return json.dumps(connection.execute("SELECT key FROM ledger").fetchall())
    except sqlite3.OperationalError:
        return ""
    finally:
        connection.close()


def test_a_stopped_whet_begins_nothing(slow: Repo) -> None:
    assert slow.whet("stop", "--why", "incident 7", "--json").json == {"stopped": True}
    for command in ("run", "resume", "prove HEAD..HEAD"):
        refuses_in_json(slow.whet(*command.split(), "--json"), 3, "stopped", "incident 7", "whet start")
    assert slow.whet("list", "--json").code == 0
    assert slow.whet("start", "--json").json == {"stopped": False, "was_stopped": True}
    assert slow.whet("start", "--json").json == {"stopped": False, "was_stopped": False}


def test_a_running_suite_ends_with_the_switch_and_the_cycle_goes_on_afterwards(slow: Repo) -> None:
    child = begin(slow, "run", "--json")
    until_at_work(slow)
    refuses(slow.whet("run"), 4, f"process {child.pid}", "at work")
    refuses_in_json(slow.whet("resume", "--json"), 4, "already_running", str(child.pid))
    assert slow.whet("list", "--json").code == 0
    (slow.root / ".whet" / "STOP").write_text("incident\n")
    stopped_at = time.monotonic()
    said = end(child)
    assert time.monotonic() - stopped_at < 15
    refuses_in_json(said, 3, "stopped", "whet start")
    assert no_sandbox_of(slow)
    assert slow.whet("start").code == 0
    slow.commit({"other.py": ""}, "the cycle goes on over the base it began with")
    child = begin(slow, "resume", "--json")
    until_at_work(slow)
    child.kill()
    child.communicate()
    assert no_sandbox_of(slow)


def no_sandbox_of(repo: Repo) -> bool:
    """Whether everything that ran in a sandbox for this repository is gone, soon."""
    for _ in range(40):
        running = [path for path in Path("/proc").glob("[0-9]*/cmdline") if str(repo.root) in words_of(path)]
        if not running:
            return True
        time.sleep(0.05)
    return False


def words_of(path: Path) -> str:
    try:
        text = path.read_bytes().replace(b"\0", b" ").decode(errors="replace")
    except OSError:
        return ""
    return text if "bwrap" in text or "run_pytest" in text else ""


def test_a_stop_in_the_middle_of_a_cycle_loses_nothing(sample: Repo) -> None:
    child = begin(sample, "run", "--json")
    until_at_work(sample)
    assert sample.whet("stop").code == 0
    said = end(child)
    assert said.code in (3, 5)  # it may have been quicker
    assert sample.whet("start").code == 0
    said = sample.whet("resume", "--json")
    assert said.code == 5, said.out
    proposal = said.json[0]["proposal"]
    assert sample.whet("approve", proposal, "--json").json[0]["status"] == "merged"
    assert sample.whet("audit", "--json").code == 0
    assert sample.dirt() == ""


def test_an_answer_reaches_the_whet_that_is_at_work(sample: Repo) -> None:
    """One process holds two proposals; another answers the first while the second is being carried."""
    assert sample.whet("run", "--json").code == 5
    first = sample.whet("list", "--json").json[0]["proposal"]
    child = begin(sample, "run", "--json")
    until_held_by(sample, child.pid)
    said = sample.whet("approve", first, "--json")
    assert said.code == 0
    assert end(child).code in (0, 1, 5)
    assert sample.whet("resume", "--json").code in (0, 5)
    refuses(sample.whet("show", "p-"), 2, first, "give more of the id")
    status = {found["proposal"]: found["status"] for found in sample.whet("list", "--json").json}
    assert status[first] == "merged"


def until_held_by(repo: Repo, pid: int) -> None:
    deadline = time.monotonic() + 30
    while (repo.root / ".whet" / "engine.lock").read_text().strip() != str(pid):
        assert time.monotonic() < deadline
        time.sleep(0.02)


# ---- whatever lies there --------------------------------------------------------------------------------------


def a_pipe(path: Path) -> None:
    os.mkfifo(path)


def a_folder(path: Path) -> None:
    path.mkdir()


def a_link_to_nothing(path: Path) -> None:
    path.symlink_to("nowhere")


def a_link_to_a_device(path: Path) -> None:
    path.symlink_to("/dev/zero")


def a_huge_file(path: Path) -> None:
    with path.open("wb") as file:
        file.truncate(5 * 1024**3)


def an_empty_file(path: Path) -> None:
    path.touch()


THINGS = (a_pipe, a_folder, a_link_to_nothing, a_link_to_a_device, a_huge_file, an_empty_file)


@pytest.mark.parametrize("put", THINGS, ids=lambda put: put.__name__)
def test_anything_in_the_place_of_the_switch_is_a_stop(make_repo: MakeRepo, put: Callable[[Path], None]) -> None:
    repo = make_repo(SMALL)
    assert repo.whet("list").code == 0
    put(repo.root / ".whet" / "STOP")
    refuses_in_json(end(begin(repo, "run", "--json")), 3, "stopped", "whet start")
    assert end(begin(repo, "stop", "--json")).json == {"stopped": True}
    assert not (repo.root / ".whet" / "nowhere").exists()
    if put is a_folder:
        refuses(end(begin(repo, "start")), 4, "cannot be removed", "by hand")
    else:
        assert end(begin(repo, "start", "--json")).json == {"stopped": False, "was_stopped": True}


# ---- deployments in flight ------------------------------------------------------------------------------------


@contextlib.contextmanager
def deploy_lock_held(repo: Repo) -> Iterator[None]:
    """As a deployment holds it while it moves a branch."""
    with (repo.root / ".whet" / "deploy.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def until_recorded(repo: Repo, words: str) -> None:
    deadline = time.monotonic() + 60
    while words not in ledger(repo.root):
        assert time.monotonic() < deadline, f"no {words}"
        time.sleep(0.02)
    time.sleep(0.5)  # what comes next waits at the lock by now


def switch_on(repo: Repo) -> None:
    (repo.root / ".whet" / "STOP").write_text("incident 8\n")


def test_a_deployment_that_waited_for_its_turn_does_not_land_after_a_stop(fork: Fork) -> None:
    repo = fork()
    proposal, head = repo.whet("list", "--json").json[0]["proposal"], repo.head
    with deploy_lock_held(repo):
        child = begin(repo, "approve", proposal, "--json")
        until_recorded(repo, "deploy/intent-branch")
        switch_on(repo)
    refuses_in_json(end(child), 3, "stopped", "incident 8")
    assert repo.head == head
    assert repo.sh("git", "branch", "--list", "whet/*") == ""
    assert repo.whet("start").code == 0
    assert repo.whet("resume", "--json").json[0]["status"] == "merged"
    assert repo.whet("audit", "--json").code == 0


def test_whet_does_not_take_back_by_itself_after_a_stop(sample: Repo) -> None:
    policy = (sample.root / "whet.toml").read_text()
    smoke = """smoke = ["python", "-c", "import sys, time; time.sleep(3); sys.exit(1)"]"""
    sample.commit({"whet.toml": policy.replace('smoke = ["python", "-c", "import calculator"]', smoke)})
    assert sample.whet("run", "--json").code == 5
    child = begin(sample, "approve", sample.whet("list", "--json").json[0]["proposal"], "--json")
    until_recorded(sample, "deploy/merge-")
    head = sample.head
    with deploy_lock_held(sample):
        until_recorded(sample, "deploy/verify-")
        switch_on(sample)
    refuses_in_json(end(child), 3, "stopped")
    assert sample.head == head
    assert sample.whet("start").code == 0
    assert sample.whet("resume", "--json").json[0]["status"] == "rolled_back"


def test_a_file_is_not_restored_after_a_stop(sample: Repo) -> None:
    sample.commit({"README.md": "second\n"})
    assert sample.whet("list").code == 0
    head = sample.head
    with deploy_lock_held(sample):
        child = begin(sample, "rollback", "README.md", "--to", "1", "--json")
        time.sleep(3)
        switch_on(sample)
    refuses_in_json(end(child), 3, "stopped")
    assert sample.head == head


def test_stop_returns_when_the_deployment_in_flight_has_ended(sample: Repo) -> None:
    assert sample.whet("list").code == 0
    released: list[float] = []

    def deploy() -> None:
        with deploy_lock_held(sample):
            held.set()
            time.sleep(2.5)
            released.append(time.monotonic())

    held = threading.Event()
    thread = threading.Thread(target=deploy)
    thread.start()
    held.wait()
    assert sample.whet("stop").code == 0
    assert released, "it returned while the lock was held"
    thread.join()


def test_stop_says_when_a_deployment_is_still_in_flight(sample: Repo) -> None:
    assert sample.whet("list").code == 0
    with deploy_lock_held(sample):
        refuses(sample.whet("stop"), 4, "whet is stopped, but a deployment was in flight", "`whet stop` again")
        assert (sample.root / ".whet" / "STOP").exists()
        assert "switch/" in ledger(sample.root)
    assert sample.whet("stop", "--json").json == {"stopped": True}
