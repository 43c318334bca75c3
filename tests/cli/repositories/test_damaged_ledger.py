"""An edited ledger blocks every deployment and answer; with the ledger restored, the proposal continues."""

import contextlib
import shutil
import signal
import sqlite3
from pathlib import Path

import pytest

from tests.cli.conftest import CopyRepo
from tests.cli.refusals import refuses_in_json
from tests.cli.test_stop import end, hold_deploy_lock, start_whet, wait_until_recorded
from tests.crash.test_kill_at_every_step import run_killed
from tests.support import Repo
from whet.store.store import FILE_NAME

EDITS = {
    "the verdict": """UPDATE ledger SET body = replace(body, '"verdict":"passed"', '"verdict":"failed"')
                      WHERE kind = 'Evidence'""",
    "who approved": """UPDATE ledger SET body = replace(body, '"approver":"person"', '"approver":"robot"')
                       WHERE kind = 'Approval'""",
    "who acted": "UPDATE ledger SET actor = 'somebody' WHERE kind = 'Question'",
    "something old": "UPDATE ledger SET body = '{}' WHERE seq = 2",
    "a row is gone": "DELETE FROM ledger WHERE seq = 3",
    "the tail is gone": "DELETE FROM ledger WHERE seq > (SELECT max(seq) - 3 FROM ledger)",
}


def edit(repo: Repo, statement: str) -> None:
    with contextlib.closing(sqlite3.connect(repo.root / ".whet" / FILE_NAME, isolation_level=None)) as connection:
        for verb in ("update", "delete"):
            connection.execute(f"DROP TRIGGER IF EXISTS ledger_no_{verb}")
        assert connection.execute(statement).rowcount > 0
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")


def waiting_proposal(repo: Repo) -> str:
    return str(repo.whet("list", "--json").json[0]["proposal"])


def assert_nothing_moved(repo: Repo, head: str) -> None:
    assert repo.head == head
    assert repo.sh("git", "branch", "--list", "whet/*") == ""


@pytest.fixture(scope="module")
def approved(waiting: Repo, tmp_path_factory: pytest.TempPathFactory) -> Repo:
    """A proposal whose approval is recorded; whet was killed before it acted on it."""
    folder = tmp_path_factory.mktemp("approved") / "calculator"
    shutil.copytree(waiting.root, folder, symlinks=True)
    repo = Repo(folder)
    remembered = folder.parent / "killed"
    assert (
        run_killed(repo, "before:deploy.snapshot", remembered, "approve", waiting_proposal(repo), "--yes")
        == -signal.SIGKILL
    )
    return repo


@pytest.mark.parametrize("what", EDITS)
def test_an_edited_ledger_blocks_the_deployment_after_an_approval(approved: Repo, tmp_path: Path, what: str) -> None:
    repo = Repo(shutil.copytree(approved.root, tmp_path / "copy", symlinks=True))
    whole = shutil.copytree(repo.root / ".whet", tmp_path / "backup")
    head = repo.head
    edit(repo, EDITS[what])
    refuses_in_json(repo.whet("resume", "--json"), 6, "corrupt", "the ledger is damaged", "whet audit", "backup")
    assert_nothing_moved(repo, head)
    if what == "the verdict":
        shutil.rmtree(repo.root / ".whet")
        shutil.copytree(whole, repo.root / ".whet")
        assert repo.whet("resume", "--json").json[0]["status"] == "merged"


def test_an_edit_while_whet_runs_blocks_the_deployment_too(waiting_copy: CopyRepo) -> None:
    repo = waiting_copy()
    head = repo.head
    with hold_deploy_lock(repo):
        child = start_whet(repo, "approve", waiting_proposal(repo), "--yes", "--json")
        wait_until_recorded(repo, "deploy/intent-branch")
        edit(repo, EDITS["something old"])
    refuses_in_json(end(child), 6, "corrupt", "row 2 was edited")
    assert_nothing_moved(repo, head)


@pytest.mark.parametrize("answer", ["approve", "reject"])
def test_an_edited_ledger_blocks_answers_at_the_gate(waiting_copy: CopyRepo, answer: str) -> None:
    repo = waiting_copy()
    proposal, head = waiting_proposal(repo), repo.head
    edit(repo, EDITS["the verdict"])
    refuses_in_json(repo.whet(answer, proposal, "--why", "seen", "--json"), 6, "corrupt", "was edited")
    assert repo.whet("list", "--json").json[0]["open_question"]
    assert_nothing_moved(repo, head)
