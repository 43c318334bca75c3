"""Answers at a gate: the right one is acted on once, a wrong one is refused and nothing is lost."""

import json
import sqlite3
from typing import Any

import pytest

from tests.cli.conftest import Fork
from tests.cli.words import refuses, refuses_in_json
from tests.support import Repo


def only(repo: Repo) -> dict[str, Any]:
    found: dict[str, Any] = repo.whet("list", "--json").json[0]
    return found


@pytest.fixture(scope="module")
def proposal(waiting: Repo) -> str:
    return str(only(waiting)["proposal"])


@pytest.mark.parametrize("command", ["show", "reject --why x", "rollback"])
def test_an_unknown_proposal(waiting: Repo, command: str) -> None:
    name, *options = command.split()
    refuses_in_json(waiting.whet(name, "p-zzzz", *options, "--json"), 2, "usage", "'p-zzzz'", "whet list")


def test_the_beginning_of_an_id_is_enough(waiting: Repo, proposal: str) -> None:
    assert waiting.whet("show", proposal[:4], "--json").json["proposal"] == proposal


@pytest.mark.parametrize("digest", ["00000000", "0"])
def test_a_wrong_digest_approves_nothing(waiting: Repo, proposal: str, digest: str) -> None:
    said = waiting.whet("approve", proposal, "--digest", digest, "--json")
    refuses_in_json(said, 3, "refused", "not what is asked about", "whet show")
    assert only(waiting)["status"] == "waiting_apply"


def test_a_strategy_that_nobody_offers_is_said_before_an_answer_is_recorded(fork: Fork, proposal: str) -> None:
    repo = fork()
    repo.commit({"whet.toml": (repo.root / "whet.toml").read_text().replace('"merge"', '"shadwo"')})
    for command in (("approve", proposal), ("reject", proposal, "--why", "later")):
        refuses_in_json(repo.whet(*command, "--json"), 2, "unknown_engine", "shadow", "whet.toml")
    assert only(repo)["status"] == "waiting_apply"


def test_a_rejection_needs_a_reason(waiting: Repo, proposal: str) -> None:
    refuses(waiting.whet("reject", proposal), 2, "--why")
    refuses(waiting.whet("reject", proposal, "--why", "  "), 2, "say why not")
    assert only(waiting)["status"] == "waiting_apply"


def test_what_was_not_deployed_cannot_be_taken_back(waiting: Repo, proposal: str) -> None:
    said = waiting.whet("rollback", proposal)
    assert said.code == 3
    assert "was not deployed" in said.err


def test_an_approved_proposal_is_merged_once_and_asks_nothing_more(fork: Fork, proposal: str) -> None:
    repo = fork()
    digest = only(repo)["evidence_digest"]
    said = repo.whet("approve", proposal, "--digest", digest[:12], "--why", "read it", "--json")
    assert (said.code, said.json[0]["status"]) == (0, "merged")
    assert repo.dirt() == ""
    head = repo.head
    refuses(repo.whet("approve", proposal), 3, "asks nothing: it has ended: merged")
    refuses(repo.whet("reject", proposal, "--why", "late"), 3, "asks nothing")
    refuses(repo.whet("withdraw", proposal), 3, "has ended", "whet rollback")
    assert repo.whet("resume", "--json").json == []
    assert repo.head == head
    deployment = only(repo)["deployment"]
    done = repo.whet("rollback", deployment, "--why", "latency doubled", "--json")
    assert (done.code, done.json["reason"], done.json["deployment"]) == (0, "latency doubled", deployment)
    assert only(repo)["status"] == "rolled_back"
    again = repo.whet("rollback", proposal)
    assert again.code == 3
    assert f"{deployment} was taken back already: latency doubled" in again.err
    assert repo.sh("git", "rev-list", "--count", f"{head}..main") == "1"
    assert repo.sh("git", "diff", "--stat", f"{head}^", "main") == ""
    assert repo.whet("audit", "--json").code == 0


def test_a_rejected_proposal_ends_with_its_reason_and_is_not_proposed_again(fork: Fork, proposal: str) -> None:
    repo = fork()
    head = repo.head
    said = repo.whet("reject", proposal, "--why", "the caller is wrong", "--json")
    assert said.code == 0
    assert (said.json[0]["status"], said.json[0]["why"]) == ("rejected", "the caller is wrong")
    assert repo.head == head
    assert repo.whet("audit", "--json").code == 0


def test_an_approval_over_a_dirty_checkout_is_refused_and_the_edits_stay(fork: Fork, proposal: str) -> None:
    repo = fork()
    repo.write({"README.md": "mine\n"})
    refuses_in_json(repo.whet("approve", proposal, "--json"), 3, "worktree_not_clean", "whet resume")
    assert (repo.root / "README.md").read_text() == "mine\n"
    assert repo.dirt().strip() == "M README.md"


def test_an_answer_after_the_gate_closed_is_refused_and_the_proposal_expires(sample: Repo) -> None:
    policy = (sample.root / "whet.toml").read_text() + "\n[approve]\ntimeout_hours = 0.0001\n"
    sample.commit({"whet.toml": policy})
    said = sample.whet("run", "--json")
    assert said.code in (1, 5)
    proposal = said.json[0]["proposal"]
    assert sample.whet("approve", proposal).code == 3
    assert sample.whet("resume", "--json").code in (0, 1)
    assert only(sample)["status"] == "expired"
    refuses(sample.whet("approve", proposal), 3, "asks nothing: it has ended: expired")


@pytest.mark.parametrize("lost_before", [True, False], ids=["before the answer", "after the answer"])
def test_a_proposal_survives_the_loss_of_the_durable_engine(fork: Fork, proposal: str, lost_before: bool) -> None:
    """The ledger is what counts: the engine's file can be moved away at any time."""
    repo = fork()
    if not lost_before:
        connection = sqlite3.connect(repo.root / ".whet" / "durable.sqlite")
        connection.execute("DROP TABLE notifications")
        connection.commit()
        connection.close()
        refuses(repo.whet("approve", proposal), 4, "the answer is recorded", "whet resume")
    for file in (repo.root / ".whet").glob("durable.sqlite*"):
        file.unlink()
    if lost_before:
        assert repo.whet("resume", "--json").code == 5
        assert repo.whet("approve", proposal, "--json").code == 0
    else:
        assert repo.whet("resume", "--json").code == 0
    assert only(repo)["status"] == "merged"
    assert repo.sh("git", "rev-list", "--count", "main") == "2"


def test_every_look_at_it_is_json_on_request(waiting: Repo, proposal: str) -> None:
    looks = [
        ("list",), ("show", proposal), ("diff", proposal), ("audit",), ("history", "calculator.py"), ("version",),
        ("history", "calculator.py", "--diff", "1", "1"), ("scan",), ("doctor", "--quick"),
        ("suggest", "mean of nothing is 0", "--where", "calculator.py", "--case", "mean([]) == 0"),
        ("start",), ("run", "--dry-run"),
    ]  # fmt: skip
    for look in looks:
        said = waiting.whet(*look, "--json")
        assert json.loads(said.out) is not None, look
        assert said.code == 0, (look, said.out, said.err)
        assert said.err == "", look
