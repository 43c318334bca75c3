"""Answers at a gate: a valid answer is acted on once, an invalid one is refused and changes nothing."""

import json
import sqlite3
import time
from typing import Any

import pytest

from tests.cli.conftest import CopyRepo
from tests.cli.refusals import refuses, refuses_in_json
from tests.support import Repo


def only(repo: Repo) -> dict[str, Any]:
    proposal: dict[str, Any] = repo.whet("list", "--json").json[0]
    return proposal


@pytest.fixture(scope="module")
def proposal(waiting: Repo) -> str:
    return str(only(waiting)["proposal"])


@pytest.mark.parametrize("command", ["show", "reject --why x", "rollback"])
def test_an_unknown_proposal_is_a_usage_error(waiting: Repo, command: str) -> None:
    name, *options = command.split()
    refuses_in_json(waiting.whet(name, "p-zzzz", *options, "--json"), 2, "not_on_record", "'p-zzzz'", "whet list")


def test_the_beginning_of_an_id_is_enough(waiting: Repo, proposal: str) -> None:
    assert waiting.whet("show", proposal[:4], "--json").json["proposal"] == proposal


@pytest.mark.parametrize("digest", ["00000000", "0"])
def test_a_wrong_digest_approves_nothing(waiting: Repo, proposal: str, digest: str) -> None:
    result = waiting.whet("approve", proposal, "--yes", "--digest", digest, "--json")
    refuses_in_json(result, 3, "refused", "is not the digest of the open question", "whet show")
    assert only(waiting)["status"] == "waiting_apply"


def test_an_unknown_strategy_is_refused_before_an_answer_is_recorded(waiting_copy: CopyRepo, proposal: str) -> None:
    repo = waiting_copy()
    repo.commit({"whet.toml": (repo.root / "whet.toml").read_text().replace('"merge"', '"shadwo"')})
    for command in (("approve", proposal, "--yes"), ("reject", proposal, "--why", "later")):
        refuses_in_json(repo.whet(*command, "--json"), 2, "unknown_engine", "shadow", "whet.toml")
    assert only(repo)["status"] == "waiting_apply"


def test_a_rejection_needs_a_reason(waiting: Repo, proposal: str) -> None:
    refuses(waiting.whet("reject", proposal), 2, "--why")
    refuses(waiting.whet("reject", proposal, "--why", "  "), 2, "say why not")
    assert only(waiting)["status"] == "waiting_apply"


def test_a_proposal_that_was_not_deployed_cannot_be_rolled_back(waiting: Repo, proposal: str) -> None:
    result = waiting.whet("rollback", proposal)
    assert result.code == 3
    assert "was not deployed" in result.err


def test_an_approved_proposal_is_merged_once_and_asks_no_further_question(
    waiting_copy: CopyRepo, proposal: str
) -> None:
    repo = waiting_copy()
    digest = only(repo)["evidence_digest"]
    result = repo.whet("approve", proposal, "--yes", "--digest", digest[:12], "--why", "read it", "--json")
    assert (result.code, result.json[0]["status"]) == (0, "merged")
    assert repo.dirt() == ""
    head = repo.head
    refuses(repo.whet("approve", proposal, "--yes"), 3, "has no open question: it has ended: merged")
    refuses(repo.whet("reject", proposal, "--why", "late"), 3, "has no open question")
    refuses(repo.whet("withdraw", proposal), 3, "has ended", "whet rollback")
    assert repo.whet("resume", "--json").json == []
    assert repo.head == head
    deployment = only(repo)["deployment"]
    rolled_back = repo.whet("rollback", deployment, "--why", "latency doubled", "--json")
    assert (rolled_back.code, rolled_back.json["reason"], rolled_back.json["deployment"]) == (
        0,
        "latency doubled",
        deployment,
    )
    assert only(repo)["status"] == "rolled_back"
    again = repo.whet("rollback", proposal)
    assert again.code == 3
    assert f"{deployment} was rolled back already: latency doubled" in again.err
    assert repo.sh("git", "rev-list", "--count", f"{head}..main") == "1"
    assert repo.sh("git", "diff", "--stat", f"{head}^", "main") == ""
    assert repo.whet("audit", "--json").code == 0


def test_a_rejected_proposal_ends_with_its_reason_and_is_not_proposed_again(
    waiting_copy: CopyRepo, proposal: str
) -> None:
    repo = waiting_copy()
    head = repo.head
    result = repo.whet("reject", proposal, "--why", "the caller is wrong", "--json")
    assert result.code == 0
    assert (result.json[0]["status"], result.json[0]["why"]) == ("rejected", "the caller is wrong")
    assert repo.head == head
    assert repo.whet("audit", "--json").code == 0


def test_an_approval_over_a_dirty_checkout_is_refused_and_the_edits_stay(waiting_copy: CopyRepo, proposal: str) -> None:
    repo = waiting_copy()
    repo.write({"README.md": "mine\n"})
    refuses_in_json(repo.whet("approve", proposal, "--yes", "--json"), 3, "worktree_not_clean", "whet resume")
    assert (repo.root / "README.md").read_text() == "mine\n"
    assert repo.dirt().strip() == "M README.md"


def test_an_answer_after_the_gate_closed_is_refused_and_the_proposal_expires(sample: Repo) -> None:
    policy = (sample.root / "whet.toml").read_text() + "\n[approve]\ntimeout_hours = 0.0001\n"
    sample.commit({"whet.toml": policy})
    result = sample.whet("run", "--json")
    assert result.code in (1, 5)
    proposal = result.json[0]["proposal"]
    time.sleep(0.5)  # longer than the timeout
    assert sample.whet("approve", proposal, "--yes").code == 3
    assert sample.whet("resume", "--json").code in (0, 1)
    assert only(sample)["status"] == "expired"
    refuses(sample.whet("approve", proposal, "--yes"), 3, "has no open question: it has ended: expired")


@pytest.mark.parametrize("lost_before", [True, False], ids=["before the answer", "after the answer"])
def test_a_proposal_survives_the_loss_of_the_durable_engine(
    waiting_copy: CopyRepo, proposal: str, lost_before: bool
) -> None:
    """The ledger holds the state of a proposal, so the engine's file can be removed at any time."""
    repo = waiting_copy()
    if not lost_before:
        connection = sqlite3.connect(repo.root / ".whet" / "durable.sqlite")
        connection.execute("DROP TABLE notifications")
        connection.commit()
        connection.close()
        refuses(repo.whet("approve", proposal, "--yes"), 4, "the answer is recorded", "whet resume")
    for file in (repo.root / ".whet").glob("durable.sqlite*"):
        file.unlink()
    if lost_before:
        assert repo.whet("resume", "--json").code == 5
        assert repo.whet("approve", proposal, "--yes", "--json").code == 0
    else:
        assert repo.whet("resume", "--json").code == 0
    assert only(repo)["status"] == "merged"
    assert repo.sh("git", "rev-list", "--count", "main") == "2"


def test_every_reading_command_prints_json_on_request(waiting: Repo, proposal: str) -> None:
    looks = [
        ("list",), ("show", proposal), ("diff", proposal), ("audit",), ("history", "calculator.py"), ("version",),
        ("history", "calculator.py", "--diff", "1", "1"), ("scan",), ("doctor", "--quick"),
        ("suggest", "mean of nothing is 0", "--where", "calculator.py", "--case", "mean([]) == 0"),
        ("start",), ("run", "--dry-run"),
    ]  # fmt: skip
    for look in looks:
        result = waiting.whet(*look, "--json")
        assert json.loads(result.out) is not None, look
        assert result.code == 0, (look, result.out, result.err)
        assert result.err == "", look
