"""The kill switch, and two whet processes at once: running sandboxes end, and stopped work resumes later."""

import contextlib
import fcntl
import json
import os
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.cli.conftest import CopyRepo
from tests.cli.refusals import SMALL, refuses, refuses_in_json
from tests.support import CommandResult, ForkedCommand, MakeRepo, Repo
from whet.app.setup.sample_repository import make_sample

SLOW = """import time

from m import f


def test_f():
    for _ in range(600):
        if not __import__("os").path.exists("slow"):
            break
        time.sleep(0.5)
    assert f() == 1
"""
LIMIT_SECONDS = 120  # only a hang takes so long; the slow suite takes longer


@pytest.fixture
def slow(make_repo: MakeRepo) -> Repo:
    """A suite that takes five minutes while the tree has a file `slow`."""
    return make_repo({**SMALL, "m.py": "def f():\n    return 2\n", "tests/test_m.py": SLOW, "slow": ""})


def start_whet(repo: Repo, *args: str) -> ForkedCommand:
    return ForkedCommand(list(args), repo.root, dict(os.environ))


def end(child: ForkedCommand) -> CommandResult:
    result = child.end(LIMIT_SECONDS)
    assert "Traceback" not in result.err
    return result


def wait_until_running(repo: Repo) -> None:
    """Wait until the first step of a cycle is recorded: the suite then runs or is about to."""
    lock, deadline = repo.root / ".whet" / "engine.lock", time.monotonic() + LIMIT_SECONDS
    while time.monotonic() < deadline:
        if lock.exists() and lock.read_text().strip() and "observe/base" in ledger(repo.root):
            time.sleep(0.5)
            return
        time.sleep(0.05)
    raise AssertionError("the cycle did not start")


def ledger(root: Path) -> str:
    import sqlite3

    connection = sqlite3.connect(f"file:{root / '.whet' / 'whet.sqlite'}?mode=ro", uri=True)
    try:
        return json.dumps(connection.execute("SELECT key FROM ledger").fetchall())
    except sqlite3.OperationalError:
        return ""
    finally:
        connection.close()


def test_a_stopped_whet_refuses_to_start_work(slow: Repo) -> None:
    assert slow.whet("stop", "--why", "incident 7", "--json").json == {"stopped": True}
    for command in ("run", "resume", "prove HEAD..HEAD"):
        refuses_in_json(slow.whet(*command.split(), "--json"), 3, "stopped", "incident 7", "whet start")
    assert slow.whet("list", "--json").code == 0
    assert slow.whet("start", "--json").json == {"stopped": False, "was_stopped": True}
    assert slow.whet("start", "--json").json == {"stopped": False, "was_stopped": False}


def test_the_kill_switch_ends_a_running_suite_and_the_cycle_resumes_later(slow: Repo) -> None:
    child = start_whet(slow, "run", "--json")
    wait_until_running(slow)
    refuses(slow.whet("run"), 4, f"process {child.pid}", "at work")
    refuses_in_json(slow.whet("resume", "--json"), 4, "already_running", str(child.pid))
    assert slow.whet("list", "--json").code == 0
    (slow.root / ".whet" / "STOP").write_text("incident\n")
    result = end(child)
    refuses_in_json(result, 3, "stopped", "whet start")
    assert sandboxes_are_gone(slow)
    assert slow.whet("start").code == 0
    slow.commit({"other.py": ""}, "the cycle goes on over the base it began with")
    child = start_whet(slow, "resume", "--json")
    wait_until_running(slow)
    child.kill()
    child.end()
    assert sandboxes_are_gone(slow)


def sandboxes_are_gone(repo: Repo) -> bool:
    """True if all sandboxes of this repository end long before the slow suite would."""
    deadline = time.monotonic() + LIMIT_SECONDS
    while time.monotonic() < deadline:
        running = [
            path for path in Path("/proc").glob("[0-9]*/cmdline") if str(repo.root) in sandbox_command_line(path)
        ]
        if not running:
            return True
        time.sleep(0.05)
    return False


def sandbox_command_line(path: Path) -> str:
    try:
        text = path.read_bytes().replace(b"\0", b" ").decode(errors="replace")
    except OSError:
        return ""
    return text if "bwrap" in text or "run_pytest" in text else ""


def test_a_stop_during_a_cycle_loses_nothing(sample: Repo) -> None:
    child = start_whet(sample, "run", "--json")
    wait_until_running(sample)
    assert sample.whet("stop").code == 0
    result = end(child)
    assert result.code in (3, 5)  # 5 if the cycle ended before the stop
    assert sample.whet("start").code == 0
    result = sample.whet("resume", "--json")
    assert result.code == 5, result.out
    proposal = result.json[0]["proposal"]
    assert sample.whet("approve", proposal, "--yes", "--json").json[0]["status"] == "merged"
    assert sample.whet("audit", "--json").code == 0
    assert sample.dirt() == ""


def test_an_answer_reaches_the_whet_process_that_is_running(tmp_path: Path) -> None:
    """One process carries two proposals; another process answers the first while it works on the second."""
    folder = tmp_path / "two-bugs"
    folder.mkdir()
    make_sample(folder, bugs=["factorial", "clamp"])
    sample = Repo(folder)
    assert sample.whet("run", "--json").code == 5
    first = sample.whet("list", "--json").json[0]["proposal"]
    child = start_whet(sample, "run", "--json")
    wait_for_engine_lock(sample, child.pid)
    result = sample.whet("approve", first, "--yes", "--json")
    assert result.code == 0
    assert end(child).code in (0, 1, 5)
    assert sample.whet("resume", "--json").code in (0, 5)
    refuses(sample.whet("show", "p-"), 2, first, "give more of the id")
    status = {row["proposal"]: row["status"] for row in sample.whet("list", "--json").json}
    assert status[first] == "merged"


def wait_for_engine_lock(repo: Repo, pid: int) -> None:
    deadline = time.monotonic() + LIMIT_SECONDS
    while (repo.root / ".whet" / "engine.lock").read_text().strip() != str(pid):
        assert time.monotonic() < deadline
        time.sleep(0.02)


# ---- the switch file ------------------------------------------------------------------------------------------


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


IN_PLACE_OF_THE_SWITCH = (a_pipe, a_folder, a_link_to_nothing, a_link_to_a_device, a_huge_file, an_empty_file)


@pytest.mark.parametrize("put", IN_PLACE_OF_THE_SWITCH, ids=lambda put: put.__name__)
def test_anything_in_place_of_the_switch_file_stops_whet(make_repo: MakeRepo, put: Callable[[Path], None]) -> None:
    repo = make_repo(SMALL)
    assert repo.whet("list").code == 0
    put(repo.root / ".whet" / "STOP")
    refuses_in_json(end(start_whet(repo, "run", "--json")), 3, "stopped", "whet start")
    assert end(start_whet(repo, "stop", "--json")).json == {"stopped": True}
    assert not (repo.root / ".whet" / "nowhere").exists()
    if put is a_folder:
        refuses(end(start_whet(repo, "start")), 4, "cannot be removed", "by hand")
    else:
        assert end(start_whet(repo, "start", "--json")).json == {"stopped": False, "was_stopped": True}


# ---- deployments in flight ------------------------------------------------------------------------------------


@contextlib.contextmanager
def hold_deploy_lock(repo: Repo) -> Iterator[None]:
    """Hold the lock that a deployment takes while it moves a branch."""
    with (repo.root / ".whet" / "deploy.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def wait_until_recorded(repo: Repo, words: str) -> None:
    deadline = time.monotonic() + LIMIT_SECONDS
    while words not in ledger(repo.root):
        assert time.monotonic() < deadline, f"no {words}"
        time.sleep(0.02)
    time.sleep(0.5)  # by then the next step waits for the lock


def switch_on(repo: Repo) -> None:
    (repo.root / ".whet" / "STOP").write_text("incident 8\n")


def test_a_deployment_that_waited_for_the_lock_does_not_land_after_a_stop(waiting_copy: CopyRepo) -> None:
    repo = waiting_copy()
    proposal, head = repo.whet("list", "--json").json[0]["proposal"], repo.head
    with hold_deploy_lock(repo):
        child = start_whet(repo, "approve", proposal, "--yes", "--json")
        wait_until_recorded(repo, "deploy/intent-branch")
        switch_on(repo)
    refuses_in_json(end(child), 3, "stopped", "incident 8")
    assert repo.head == head
    assert repo.sh("git", "branch", "--list", "whet/*") == ""
    assert repo.whet("start").code == 0
    assert repo.whet("resume", "--json").json[0]["status"] == "merged"
    assert repo.whet("audit", "--json").code == 0


def test_whet_does_not_roll_back_automatically_after_a_stop(sample: Repo) -> None:
    policy = (sample.root / "whet.toml").read_text()
    smoke = """smoke = ["python", "-c", "import sys, time; time.sleep(3); sys.exit(1)"]"""
    sample.commit({"whet.toml": policy.replace('smoke = ["python", "-c", "import calculator"]', smoke)})
    assert sample.whet("run", "--json").code == 5
    child = start_whet(sample, "approve", sample.whet("list", "--json").json[0]["proposal"], "--yes", "--json")
    wait_until_recorded(sample, "deploy/merge-")
    head = sample.head
    with hold_deploy_lock(sample):
        wait_until_recorded(sample, "deploy/verify-")
        switch_on(sample)
    refuses_in_json(end(child), 3, "stopped")
    assert sample.head == head
    assert sample.whet("start").code == 0
    assert sample.whet("resume", "--json").json[0]["status"] == "rolled_back"


def test_a_file_is_not_restored_after_a_stop(sample: Repo) -> None:
    sample.commit({"README.md": "second\n"})
    assert sample.whet("list").code == 0
    head = sample.head
    with hold_deploy_lock(sample):
        child = start_whet(sample, "rollback", "README.md", "--to", "1", "--json")
        time.sleep(3)
        switch_on(sample)
    refuses_in_json(end(child), 3, "stopped")
    assert sample.head == head


def test_stop_waits_for_a_deployment_in_flight(sample: Repo) -> None:
    assert sample.whet("list").code == 0
    released: list[float] = []

    def deploy() -> None:
        with hold_deploy_lock(sample):
            locked.set()
            time.sleep(2.5)
            released.append(time.monotonic())

    locked = threading.Event()
    thread = threading.Thread(target=deploy)
    thread.start()
    locked.wait()
    assert sample.whet("stop").code == 0
    assert released, "stop returned while the lock was held"
    thread.join()


def test_stop_reports_a_deployment_that_is_still_in_flight(sample: Repo) -> None:
    assert sample.whet("list").code == 0
    with hold_deploy_lock(sample):
        refuses(sample.whet("stop"), 4, "whet is stopped, but a deployment was in flight", "`whet stop` again")
        assert (sample.root / ".whet" / "STOP").exists()
        assert "switch/" in ledger(sample.root)
    assert sample.whet("stop", "--json").json == {"stopped": True}
