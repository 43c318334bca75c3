"""Whole cycles with the record in PostgreSQL: the same guarantees as with a file, and no SQLite file."""

import os
import signal
import subprocess
import time
from pathlib import Path

import pytest
from sqlalchemy import text

from tests.support import ForkedCommand, Repo, configured_whet
from whet.errors import DamagedLedger, StateUnusable
from whet.ledger.ledger import Ledger
from whet.store.address import Address, parse
from whet.store.location import schema_of
from whet.store.store import open_store

pytestmark = pytest.mark.slow
KILLED = Path(__file__).parents[1] / "crash" / "killed.py"


@pytest.fixture
def shared(sample: Repo, postgres: str, monkeypatch: pytest.MonkeyPatch) -> Repo:
    monkeypatch.setenv("WHET_STORE_URL", postgres)
    return sample


def address(repo: Repo) -> Address:
    return Address(parse(os.environ["WHET_STORE_URL"]), schema_of(repo.root / ".whet"))


def execute(repo: Repo, *statements: str) -> None:
    engine = address(repo).engine()
    with engine.begin() as connection:
        for statement in statements:
            connection.execute(text(statement))
    engine.dispose()


def open_proposal(repo: Repo) -> str:
    proposals = [row["proposal"] for row in repo.whet("list", "--json").json if row["open_question"]]
    assert len(proposals) == 1
    return str(proposals[0])


def test_a_fix_is_merged_and_the_audit_is_clean(shared: Repo) -> None:
    result = shared.whet("run", "--json")
    assert result.code == 5, result.out
    proposal = open_proposal(shared)
    assert shared.whet("approve", proposal, "--yes", "--json").code == 0
    assert [row["status"] for row in shared.whet("list", "--json").json] == ["merged"]
    assert proposal in shared.sh("git", "log", "-1", "--format=%B")
    audit = shared.whet("audit", "--json")
    assert audit.code == 0, audit.out
    assert not list((shared.root / ".whet").glob("*.sqlite"))
    assert "ledger entries in PostgreSQL at" in shared.whet("doctor", "--quick").out


def test_a_killed_cycle_resumes_and_deploys_once(shared: Repo, tmp_path: Path) -> None:
    """The first kill is before the proof, the second between the move of the branch and its record."""

    def killed(when: str, *command: str) -> int:
        argv = [when, str(tmp_path / when), *command]
        return ForkedCommand(argv, shared.root, dict(os.environ), script=str(KILLED)).end().code

    assert killed("before:validate", "run") == -signal.SIGKILL
    assert shared.whet("resume", "--json").code == 5
    proposal = open_proposal(shared)
    assert killed("after:deploy.merge", "approve", proposal, "--yes") == -signal.SIGKILL
    assert shared.whet("resume", "--json").code == 0
    assert [row["status"] for row in shared.whet("list", "--json").json] == ["merged"]
    assert shared.sh("git", "log", "--format=%h", "--grep=Whet-Proposal").count("\n") == 0
    audit = shared.whet("audit", "--json")
    assert audit.code == 0, audit.out


def test_a_second_process_is_refused_with_the_pid_of_the_first(shared: Repo) -> None:
    """The file lock is removed, as on a network file system without locks; the database lock must hold."""
    first = subprocess.Popen([*configured_whet(), "run", "--json"], cwd=shared.root, stdout=subprocess.PIPE, text=True)
    try:
        lock = shared.root / ".whet" / "engine.lock"
        until = time.monotonic() + 60
        while not (lock.exists() and lock.read_text()) and time.monotonic() < until:
            time.sleep(0.02)
        time.sleep(0.3)
        lock.unlink()
        result = shared.whet("resume", "--json")
        assert result.code == 4, result.out
        assert result.json["error"]["code"] == "already_running"
        assert f"process {first.pid} on " in result.json["error"]["message"]
    finally:
        first.communicate(timeout=120)
    assert first.returncode == 5


def test_two_repositories_in_one_database_have_separate_records(shared: Repo, tmp_path: Path) -> None:
    assert shared.whet("suggest", "an empty list has mean 0", "--where", "calculator.py").code == 0
    clone = Repo(tmp_path / "clone")
    shared.sh("git", "clone", "--quiet", str(shared.root), str(clone.root))
    assert clone.whet("audit", "--json").json["audit"]["entries"] == 0
    assert shared.whet("audit", "--json").json["audit"]["entries"] == 1
    assert address(shared).schema != address(clone).schema


@pytest.mark.parametrize("how", ["edited", "cut off", "another database"])
def test_a_changed_ledger_blocks_every_run(shared: Repo, how: str) -> None:
    store = open_store(shared.root / ".whet", os.environ["WHET_STORE_URL"])
    ledger = Ledger(store, shared.root / ".whet")
    for number in range(3):
        ledger.append("observe", number, subject="c", key=f"k{number}", kind="Note")
    ledger.refuse_if_damaged()
    with pytest.raises(StateUnusable, match="append-only"), store.writing() as connection:
        connection.execute(text("UPDATE ledger SET actor = 'ann'"))
    statement = {
        "edited": "UPDATE ledger SET actor = 'ann' WHERE seq = 2",
        "cut off": "DELETE FROM ledger WHERE seq = 3",
        "another database": "DELETE FROM ledger",
    }[how]
    execute(shared, "ALTER TABLE ledger DISABLE TRIGGER ALL", statement)
    with pytest.raises(DamagedLedger):
        ledger.refuse_if_damaged()
    store.close()
    assert shared.whet("run", "--json").code == 6


def test_whet_toml_cannot_set_the_database(sample: Repo, postgres: str) -> None:
    policy = (sample.root / "whet.toml").read_text()
    sample.commit({"whet.toml": f'store_url = "{postgres}"\n{policy}'})
    result = sample.whet("list", "--json")
    assert result.code == 2
    assert "unknown key 'store_url'" in result.json["error"]["message"]
