"""The strategy `pr` through the command line: real git over HTTP, a GitHub that checks every request."""

import os
import shutil
import signal
import time
from pathlib import Path
from queue import Queue
from typing import Any

import pytest

from tests.forge.conftest import make_shop, prove
from tests.forge.github_server import REPOSITORY, TOKEN, Fault, GitHubServer
from tests.support import ForkedCommand, Repo
from whet.app.agent_notes.objections import object_to
from whet.app.project import open_project
from whet.app.service.watched_repository import WatchedRepository
from whet.domain.pull_request import mark
from whet.phases.deploy.request_text import finding_mark

pytestmark = pytest.mark.slow


def only(repo: Repo, proposal: str) -> dict[str, Any]:
    rows: list[dict[str, Any]] = repo.whet("list", "--json").json
    return next(row for row in rows if row["proposal"] == proposal)


def offer(repo: Repo, proposal: str, github: GitHubServer) -> dict[str, Any]:
    """Approve the change, and return its pull request."""
    approved = repo.whet("approve", proposal, "--yes", env=github.environment)
    assert approved.code == 5, (approved.out, approved.err)
    [pull] = github.pulls
    assert pull["html_url"] in approved.out
    return pull


def test_a_merge_on_the_forge_is_the_deployment_and_is_recorded_with_its_commit(
    shop: tuple[Repo, str], github: GitHubServer
) -> None:
    repo, proposal = shop
    before = repo.head
    object_to(open_project(repo.root), proposal, "It @breaks <b>the</b> `discount`.", "agent:critic")
    pull = offer(repo, proposal, github)
    assert pull["head"]["ref"] == f"whet/{proposal}"
    assert "<details><summary>Evidence: passed" in pull["body"]
    assert f"Whet-Proposal: {proposal}" in pull["body"]
    assert github.labels[1] == ["whet"]
    assert "sum(prices) + rate" in github.git("show", f"whet/{proposal}:shop.py")

    object_to(open_project(repo.root), proposal, "It is slow.", "agent:critic")
    waits = repo.whet("resume", "--json", env=github.environment)
    assert waits.code == 5, "nobody has answered yet"
    [first, second] = github.comments[1]
    assert "`agent:critic`" in first and "``It @breaks <b>the</b> `discount`.``" in first
    assert "It is slow." in second
    github.commit_on("main", "other.py", "x = 1\n")
    merged = github.merge(1, by="alice", how="squash")
    resumed = repo.whet("resume", "--json", env=github.environment)
    assert resumed.code == 0, (resumed.out, resumed.err)
    row = only(repo, proposal)
    assert row["status"] == "merged"
    record = repo.whet("show", proposal, "--json").json
    [_, deployment] = record["deployments"]
    assert (deployment["merge_commit"], deployment["actor"]) == (merged, "alice on " + github.address[7:])
    assert repo.head == before, "the user's own branch does not move"
    assert len(github.comments[1]) == 2
    assert repo.whet("audit").code == 0
    assert repo.sh("git", "branch", "--list", "whet/*") == ""

    rolled = repo.whet("rollback", proposal, "--why", "it hurts", env=github.environment)
    assert rolled.code == 0, rolled.err
    assert "rollback offered: " in rolled.out and "the change stays until people merge" in rolled.out
    assert only(repo, proposal)["status"] == "rollback_offered"
    assert "was rolled back already" in repo.whet("rollback", proposal, env=github.environment).err
    revert = github.pulls[1]
    assert revert["title"].startswith("Revert ")
    assert "sum(prices) - rate" in github.git("show", f"{revert['head']['ref']}:shop.py")
    assert github.git("show", f"{revert['head']['ref']}:other.py") == "x = 1"


def test_a_merge_by_whets_own_account_is_nobodys_yes(shop: tuple[Repo, str], github: GitHubServer) -> None:
    repo, proposal = shop
    offer(repo, proposal, github)
    early = repo.whet("approve", proposal, "--yes", env=github.environment)
    assert early.code == 3 and "is answered on the forge" in early.err
    github.merge(1, by="Whet-Bot")
    waits = repo.whet("resume", env=github.environment)
    assert waits.code == 5, (waits.out, waits.err)
    assert "merged by whet's own account, which is nobody's yes" in waits.err
    assert only(repo, proposal)["status"] == "waiting_merge"

    approved = repo.whet("approve", proposal, "--yes", env=github.environment)
    assert approved.code == 0, (approved.out, approved.err)
    assert only(repo, proposal)["status"] == "merged"
    assert repo.whet("audit", env=github.environment).code == 0


@pytest.mark.long
def test_a_rollback_that_the_forge_does_not_take_waits_and_is_done_once(
    shop: tuple[Repo, str], github: GitHubServer
) -> None:
    repo, proposal = shop
    offer(repo, proposal, github)
    github.commit_on("main", "tests/conftest.py", "raise RuntimeError('broken by somebody else')\n")
    github.merge(1)
    github.faults = [Fault("POST", r"/pulls$", 0)]
    parked = repo.whet("resume", "--json", env=github.environment)
    assert (parked.code, parked.json["error"]["code"]) == (4, "forge_unavailable"), parked.out
    record = repo.whet("show", proposal, "--json").json
    assert (record["rollbacks"], record["lesson"], record["errors"]) == ([], None, [])

    assert repo.whet("resume", "--json", env=github.environment).code == 1
    assert repo.whet("resume", "--json", env=github.environment).json == []
    assert [pull["title"].split()[0] for pull in github.pulls[1:]] == ["Revert"]
    record = repo.whet("show", proposal, "--json").json
    assert (len(record["rollbacks"]), record["lesson"]["ending"]) == (1, "rolled_back")


@pytest.mark.long
def test_without_a_forge_the_local_branch_stays_and_the_proposal_waits(github: GitHubServer, tmp_path: Path) -> None:
    repo = make_shop(tmp_path / "shop", "")
    proposal = prove(repo, github)
    for command in (("approve", proposal, "--yes"), ("resume",)):
        parked = repo.whet(*command, env=github.environment)
        assert parked.code == 3, (parked.out, parked.err)
        assert "does not say on which forge the repository is" in parked.err
        assert "git remote add origin" in parked.err
        assert only(repo, proposal)["status"] == "queued"
    assert repo.sh("git", "branch", "--list", "--format=%(refname:short)", "whet/*") == f"whet/{proposal}"
    assert repo.whet("show", proposal, "--json").json["errors"] == []

    repo.sh("git", "remote", "add", "origin", "https://github.com/acme/shop.git")
    waits = repo.whet("resume", env={"GITHUB_TOKEN": ""})
    assert waits.code == 3 and "there is no token for github.com" in waits.err, waits.err


@pytest.mark.long
def test_a_closed_pull_request_is_a_rejection_that_is_remembered(shop: tuple[Repo, str], github: GitHubServer) -> None:
    repo, proposal = shop
    offer(repo, proposal, github)
    github.close_request(1)
    closed = repo.whet("resume", "--json", env=github.environment)
    assert closed.code == 1, closed.out
    row = only(repo, proposal)
    assert row["status"] == "rejected"
    assert "closed without a merge" in row["why"]
    assert github.head(f"whet/{proposal}") == ""
    lesson = repo.whet("show", proposal, "--json").json["lesson"]
    assert (lesson["ending"], bool(lesson["patch_digest"])) == ("rejected", True)


@pytest.mark.long
def test_a_withdrawn_proposal_closes_its_pull_request(shop: tuple[Repo, str], github: GitHubServer) -> None:
    repo, proposal = shop
    offer(repo, proposal, github)
    assert repo.whet("approve", proposal, "--yes", env=github.environment).code == 3, "people merge on the forge"
    assert repo.whet("withdraw", proposal, "--why", "not now", env=github.environment).code == 0
    repo.whet("resume", env=github.environment)
    assert github.pulls[0]["state"] == "closed"
    assert not github.pulls[0]["merged"]
    assert len(github.comments[1]) == 1
    assert github.head(f"whet/{proposal}") == ""


@pytest.mark.long
def test_what_people_edit_in_a_pull_request_stays_and_their_merge_counts(
    shop: tuple[Repo, str], github: GitHubServer
) -> None:
    repo, proposal = shop
    offer(repo, proposal, github)
    edited = {"title": "Add the rate", "body": "Reviewed with Bob; the marks of whet are gone."}
    github.pulls[0].update(edited)
    github.commit_on(f"whet/{proposal}", "NOTES.md", "why the rate is added\n")
    extended = github.head(f"whet/{proposal}")
    assert repo.whet("resume", env=github.environment).code == 5
    assert {name: github.pulls[0][name] for name in edited} == edited
    assert github.head(f"whet/{proposal}") == extended

    merged = github.merge(1, by="alice")
    resumed = repo.whet("resume", "--json", env=github.environment)
    assert resumed.code == 0, (resumed.out, resumed.err)
    [staged, deployment] = repo.whet("show", proposal, "--json").json["deployments"]
    assert (deployment["merge_commit"], deployment["after"]) == (merged, staged["after"])
    assert repo.whet("audit", env=github.environment).code == 0


@pytest.mark.long
def test_a_withdrawn_pull_request_keeps_the_commits_that_people_added(
    shop: tuple[Repo, str], github: GitHubServer
) -> None:
    repo, proposal = shop
    offer(repo, proposal, github)
    extended = github.commit_on(f"whet/{proposal}", "NOTES.md", "why the rate is added\n")
    assert repo.whet("withdraw", proposal, "--why", "not now", env=github.environment).code == 0
    repo.whet("resume", env=github.environment)
    assert (github.pulls[0]["state"], github.head(f"whet/{proposal}")) == ("closed", extended)


@pytest.mark.long
def test_commits_of_other_people_on_the_branch_are_not_overwritten(
    shop: tuple[Repo, str], github: GitHubServer
) -> None:
    repo, proposal = shop
    github.git("branch", f"whet/{proposal}", "main")
    foreign = github.commit_on(f"whet/{proposal}", "foreign.py", "y = 2\n")
    refused = repo.whet("approve", proposal, "--yes", env=github.environment)
    assert refused.code == 3
    assert "commits that whet did not push" in refused.err
    assert github.head(f"whet/{proposal}") == foreign
    assert github.pulls == []

    github.git("branch", "-D", f"whet/{proposal}")
    assert repo.whet("resume", env=github.environment).code == 5
    assert len(github.pulls) == 1


@pytest.mark.long
@pytest.mark.parametrize("opened", [False, True])
def test_killed_while_it_opens_the_pull_request_it_pushes_once_and_opens_one(
    shop: tuple[Repo, str], github: GitHubServer, *, opened: bool
) -> None:
    repo, proposal = shop
    started: Queue[ForkedCommand] = Queue()
    # The request to open it has arrived, so the push is done; the process that sent it never gets the answer.
    github.faults = [Fault("POST", r"/pulls$", 0, after=opened, act=lambda: started.get().kill())]
    command = ForkedCommand(["approve", proposal, "--yes"], repo.root, {**os.environ, **github.environment})
    started.put(command)
    assert command.end().code == -signal.SIGKILL
    pushed = github.head(f"whet/{proposal}")
    assert (bool(pushed), len(github.pulls), github.pushes) == (True, int(opened), 1)
    for _ in range(2):
        resumed = repo.whet("resume", env=github.environment)
        assert resumed.code == 5, (resumed.out, resumed.err)
        assert (len(github.pulls), github.pushes, github.head(f"whet/{proposal}")) == (1, 1, pushed)
    assert github.labels[1] == ["whet"]


def test_cut_off_between_push_and_opening_it_opens_one_pull_request(
    shop: tuple[Repo, str], github: GitHubServer
) -> None:
    repo, proposal = shop
    github.faults = [Fault("POST", r"/pulls$", 0)]
    broken = repo.whet("approve", proposal, "--yes", env=github.environment)
    assert broken.code == 4, broken.err
    assert github.head(f"whet/{proposal}"), "pushed"
    assert github.pulls == []
    assert repo.whet("resume", env=github.environment).code == 5
    assert len(github.pulls) == 1


@pytest.mark.long
def test_a_pull_request_whose_answer_was_lost_is_found_and_not_opened_twice(
    shop: tuple[Repo, str], github: GitHubServer
) -> None:
    repo, proposal = shop
    github.faults = [Fault("POST", r"/pulls$", 0, after=True)]
    offer(repo, proposal, github)
    assert len(github.pulls) == 1


@pytest.mark.long
@pytest.mark.parametrize("moment", ["before", "after"])
def test_killed_around_the_request_step_it_opens_one_pull_request(
    shop: tuple[Repo, str], github: GitHubServer, tmp_path: Path, moment: str
) -> None:
    repo, proposal = shop
    script = str(Path(__file__).parents[1] / "crash" / "killed.py")
    args = [f"{moment}:deploy.request", str(tmp_path / "killed"), "approve", proposal, "--yes"]
    killed = ForkedCommand(args, repo.root, {**os.environ, **github.environment}, script=script).end()
    assert killed.code == -signal.SIGKILL, killed.err
    assert len(github.pulls) == (1 if moment == "after" else 0)
    assert repo.whet("resume", env=github.environment).code == 5
    assert len(github.pulls) == 1


@pytest.mark.long
def test_the_token_is_in_no_file_of_the_repository_and_not_in_the_record(
    shop: tuple[Repo, str], github: GitHubServer
) -> None:
    repo, proposal = shop
    offer(repo, proposal, github)
    for path in repo.root.rglob("*"):
        if path.is_file():
            assert TOKEN.encode() not in path.read_bytes(), path


@pytest.mark.long
def test_another_clone_finds_the_pull_request_of_the_finding(shop: tuple[Repo, str], github: GitHubServer) -> None:
    repo, proposal = shop
    signature = repo.whet("show", proposal, "--json").json["record"]["diagnosis"]["finding"]["signature"]
    body = f"{mark('whet-proposal', 'p-00000000')}\n{mark('whet-finding', finding_mark(signature))}\n"
    github.git("branch", "whet/p-00000000", "main")
    github.answer(
        "POST",
        f"/repos/{REPOSITORY}/pulls",
        {},
        {"title": "t", "head": "whet/p-00000000", "base": "main", "body": body},
    )
    ended = repo.whet("approve", proposal, "--yes", env=github.environment)
    assert ended.code == 1, (ended.out, ended.err)
    assert "is open for this finding already" in ended.out
    assert github.head(f"whet/{proposal}") == "", "nothing is pushed"


@pytest.mark.long
def test_a_proof_can_be_shown_on_the_commit_that_it_judged(
    proved: tuple[Path, str], github: GitHubServer, tmp_path: Path
) -> None:
    repo = Repo(tmp_path / "shop")
    shutil.copytree(proved[0], repo.root, symlinks=True)
    repo.sh("git", "switch", "--quiet", "--create", "feature")
    tip = repo.commit({"shop.py": "def total(prices, rate):\n    return sum(prices) + rate\n"})
    repo.sh("git", "switch", "--quiet", "main")
    result = repo.whet("prove", "main..feature", "--check", env=github.environment)
    assert result.code == 0, (result.out, result.err)
    [run] = github.checks
    assert (run["head_sha"], run["conclusion"]) == (tip, "success")
    assert "red without it" in run["output"]["summary"]

    assert repo.whet("prove", "--patch", "x.patch", "--check", env=github.environment).code == 2


@pytest.mark.long
def test_whet_merges_after_a_review_of_the_proved_commit_and_of_no_other(
    proved: tuple[Path, str], github: GitHubServer, tmp_path: Path
) -> None:
    repo = Repo(tmp_path / "shop")
    shutil.copytree(proved[0], repo.root, symlinks=True, ignore=shutil.ignore_patterns(".whet"))
    repo.sh("git", "update-ref", "-d", "refs/whet/ledger")
    settings = (repo.root / "whet.toml").read_text() + 'merge = "whet"\n[approve]\nmerge = "confirm"\n'
    repo.commit(
        {"whet.toml": settings + 'forge_logins = { alice = "alice@example.com", whet-bot = "bob@example.com" }\n'}
    )
    repo.sh("git", "push", "--quiet", str(github.bare), "main")
    proposal = repo.whet("run", "--json", env=github.environment).json[0]["proposal"]
    offer(repo, proposal, github)

    for login, commit in (("whet-bot", ""), ("mallory", ""), ("alice", github.head("main"))):
        github.review(1, login, commit=commit)
    assert repo.whet("resume", env=github.environment).code == 5
    assert github.pulls[0]["state"] == "open"

    github.review(1, "alice")
    merged = repo.whet("resume", "--json", env=github.environment)
    assert merged.code == 0, (merged.out, merged.err)
    assert github.pulls[0]["merged_by"] == {"login": "whet-bot"}
    audit = repo.whet("audit")
    assert audit.code == 0, audit.out
    assert "by alice on" in audit.out


@pytest.mark.long
def test_the_service_notices_a_merge_without_a_push(
    shop: tuple[Repo, str], github: GitHubServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    repo, proposal = shop
    offer(repo, proposal, github)
    for name, value in github.environment.items():
        monkeypatch.setenv(name, value)
    lines = list[str]()
    watched = WatchedRepository(repo.root, lines.append)
    try:
        github.merge(1, by="alice", how="squash")
        deadline = time.monotonic() + 120
        while not any("was answered on the forge" in line for line in lines):
            assert time.monotonic() < deadline, lines
            watched.tick(may_start=True)
            time.sleep(0.05)
        watched._traces = ()
        due = watched._what_is_due()
        assert due is not None
        assert due.begun
    finally:
        watched.close()
