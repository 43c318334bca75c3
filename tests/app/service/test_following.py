"""Changes are followed after they reached the target branch, until a recorded end."""

import shutil
from datetime import timedelta
from pathlib import Path
from threading import Thread

import pytest

from tests.support import Repo
from whet.app.deployments.rollback import BY_WHET, rollback
from whet.app.notify.notices import due_notices
from whet.app.project import Project, open_project
from whet.app.service.following import FollowedChange, _record, follow, follow_is_due, followed_changes
from whet.app.service.work import work
from whet.domain.clock import now
from whet.domain.following import FollowEnd, Following
from whet.domain.reported_event import EventKind, ReportedEvent
from whet.errors import WhetError
from whet.phases.deploy.follow import red_again
from whet.phases.deploy.rollback import LOCK, deploy_lock
from whet.state_folder import put_switch
from whet.store.events import Events

POLICY = """environment = "development"
[tests]
folders = ["tests"]
[deploy]
strategy = "{strategy}"
monitor_hours = {hours}
[service]
dry_run_days = 0
"""
BUGGY: dict[str, str | bytes] = {
    "shop.py": "def total(prices, rate):\n    return sum(prices) - rate\n",
    "tests/test_shop.py": "from shop import total\n\n\ndef test_total():\n    assert total([1, 2], 1) == 4\n\n\n"
    "def test_nothing():\n    assert total([], 0) == 0\n",
    ".gitignore": ".whet/\n",
}
pytestmark = pytest.mark.slow


def shop(folder: Path, strategy: str) -> tuple[Repo, str]:
    """Return a shop whose fix is proven and waits at the gate, and the proposal."""
    repo = Repo(folder / "shop")
    repo.root.mkdir()
    repo.sh("git", "init", "--quiet", "--initial-branch=main")
    repo.sh("git", "config", "user.name", "tester")
    repo.sh("git", "config", "user.email", "tester@localhost")
    repo.commit({**BUGGY, "whet.toml": POLICY.format(strategy=strategy, hours=24)}, "first")
    assert repo.whet("run", "--json").code == 5
    return repo, str(repo.whet("list", "--json").json[0]["proposal"])


@pytest.fixture(scope="session")
def at_the_gate(tmp_path_factory: pytest.TempPathFactory) -> tuple[Repo, str]:
    return shop(tmp_path_factory.mktemp("following"), "merge")


def approved(at_the_gate: tuple[Repo, str], folder: Path) -> tuple[Repo, Project, str]:
    """Return a copy of the shop whose fix was approved and deployed."""
    original, proposal = at_the_gate
    shutil.copytree(original.root, folder / "copy", symlinks=True)
    repo = Repo(folder / "copy")
    result = repo.whet("approve", proposal, "--yes", "--why", "read it")
    assert result.code == 0, (result.out, result.err)
    return repo, open_project(repo.root), proposal


def answer(minute: int, *, failed: bool) -> ReportedEvent:
    """Return the answer of a probe, `minute` minutes from now on."""
    at = now() + timedelta(minutes=minute)
    return ReportedEvent(kind=EventKind.SPAN, subject="shop", at=at, identity=f"{minute}", failed=failed)


def ends(project: Project) -> list[FollowEnd]:
    return [entry.read(Following).end for entry in project.ledger.entries(kind="Following")]


def only(project: Project) -> FollowedChange:
    [change] = followed_changes(project)
    return change


def test_a_failure_that_later_commits_bring_back_leaves_the_change_in_place(
    at_the_gate: tuple[Repo, str], tmp_path: Path
) -> None:
    repo, project, proposal = approved(at_the_gate, tmp_path)
    assert proposal in repo.whet("status").out
    assert follow_is_due(project) == ""
    merged = only(project).commit
    repo.commit({"shop.py": BUGGY["shop.py"]}, "break it again")
    work(project)
    assert ends(project) == [FollowEnd.CAME_BACK]
    assert followed_changes(project) == []
    assert project.git.is_ancestor(merged, "HEAD")
    assert "later commits are the cause" in repo.whet("show", proposal, "--all").out


def test_a_decision_that_was_cut_off_is_carried_out_once_as_a_revert_with_the_reason(
    at_the_gate: tuple[Repo, str], tmp_path: Path
) -> None:
    repo, project, proposal = approved(at_the_gate, tmp_path)
    _record(project, only(project), FollowEnd.DOES_NOT_HOLD, "the fixed failure came back, 2 times")
    assert "came back" in follow_is_due(open_project(repo.root))
    assert len(follow(project)) == 1
    assert follow(project) == []
    assert "the fixed failure came back, 2 times" in repo.sh("git", "log", "-1", "--format=%B")
    assert (repo.root / "shop.py").read_text() == BUGGY["shop.py"]
    [entry] = project.ledger.entries(kind="Rollback")
    assert entry.data["actor"] == "whet"
    assert repo.whet("list", "--json").json[0]["status"] == "rolled_back"
    assert repo.whet("audit").code == 0
    assert proposal not in repo.whet("status").out.partition("followed")[2]


def test_a_stop_that_comes_while_a_rollback_of_whet_waits_for_its_turn_is_obeyed(
    at_the_gate: tuple[Repo, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    repo, project, proposal = approved(at_the_gate, tmp_path)
    merged, refusals = repo.head, list[WhetError]()

    def roll_back() -> None:
        try:
            rollback(open_project(repo.root), proposal, "it fails", who=BY_WHET)
        except WhetError as refusal:
            refusals.append(refusal)

    with deploy_lock(project.state):
        thread = Thread(target=roll_back)
        thread.start()
        while not waits_for(project.state / LOCK):
            assert thread.is_alive()
        put_switch(project.state, "enough")
    thread.join()
    assert [refusal.code for refusal in refusals] == ["stopped"]
    assert repo.head == merged
    assert project.ledger.entries(kind="Rollback") == []
    monkeypatch.setattr(
        "whet.app.deployments.rollback.actor", lambda: BY_WHET
    )  # a person, logged in as the user of the service
    assert rollback(open_project(repo.root), proposal, "it fails").after == repo.head


def waits_for(file: Path) -> bool:
    """True if a process waits for the lock of this file: the kernel lists it with an arrow."""
    inode = f":{file.stat().st_ino} "
    return any(" -> " in line and inode in line for line in Path("/proc/locks").read_text().splitlines())


@pytest.mark.long
def test_a_branch_is_followed_from_its_merge_on_and_a_person_has_to_revert_it(tmp_path: Path) -> None:
    repo, project, proposal = approved(shop(tmp_path, "branch"), tmp_path)
    assert only(project).began_at is None
    assert "as soon as it is merged" in repo.whet("status").out
    repo.sh("git", "merge", "--quiet", "--no-edit", f"whet/{proposal}")
    follow(project)
    assert only(project).began_at is not None
    _record(project, only(project), FollowEnd.DOES_NOT_HOLD, "it fails")
    follow(project)
    assert ends(project) == [FollowEnd.DOES_NOT_HOLD, FollowEnd.NEEDS_PERSON]
    assert "git revert" in repo.whet("show", proposal, "--all").out


def test_a_probe_that_turns_bad_is_told_once_and_the_time_ends_with_kept_if_nothing_ran_since(
    at_the_gate: tuple[Repo, str], tmp_path: Path
) -> None:
    repo, project, proposal = approved(at_the_gate, tmp_path)
    Events(project.state).take("health", [answer(-1, failed=False), *(answer(each, failed=True) for each in (1, 2, 3))])
    assert "the probe shop" in follow_is_due(project)
    follow(project)
    assert ends(project) == [FollowEnd.SUSPECTED]
    assert follow_is_due(project) == ""
    assert f"suspected  {proposal}: the probe shop was well" in repo.whet("status").out
    [notice] = [
        notice for notice in due_notices(project, only(project).began_at or now(), now()) if "look at" in notice.title
    ]
    assert f"whet rollback {proposal}" in notice.text
    repo.write({"whet.toml": POLICY.format(strategy="merge", hours=1e-6)})
    project = open_project(repo.root)
    follow(project)
    assert ends(project) == [FollowEnd.SUSPECTED, FollowEnd.KEPT]
    assert followed_changes(project) == []


def test_target_tests_are_run_again_on_the_deployed_tree(at_the_gate: tuple[Repo, str]) -> None:
    project = open_project(at_the_gate[0].root)
    tests = ["tests/test_shop.py::test_total", "tests/test_shop.py::test_nothing"]
    assert red_again(project.kit.suite, project.git.tree_of("HEAD"), tests) == tests[0]
    fixed = project.git.with_files(
        project.git.tree_of("HEAD"), {"shop.py": b"def total(a, b):\n    return sum(a) + b\n"}
    )
    assert red_again(project.kit.suite, fixed, tests) == ""
