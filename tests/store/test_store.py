"""The state database: every problem is one sentence with a remedy, and nothing is guessed or repaired."""

import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from whet.errors import StateUnusable
from whet.ledger.ledger import Ledger, verify
from whet.store import schema
from whet.store.store import FILE_NAME, open_store

NOBODY = 65534
REPORT = """
import sys, os, pathlib, sqlalchemy
from whet.errors import StateUnusable
from whet.ledger.ledger import Ledger
from whet.store.store import open_store
folder, rows = pathlib.Path(sys.argv[1]), int(sys.argv[2])
sqlalchemy.create_engine("sqlite://").connect().close()  # import everything before setuid: only root may be able to read the interpreter's files
if os.getuid() == 0 and len(sys.argv) > 3: os.setuid(int(sys.argv[3]))
try:
    ledger = Ledger(open_store(folder), folder)
    for n in range(rows): ledger.append("observe", "x" * 4000, subject="c", key=str(n), kind="Note")
except StateUnusable as problem:
    print(problem.message, problem.remedy, sep="\\n")
    sys.exit(9)
"""


def report(*arguments: object, within: tuple[str, ...] = ()) -> tuple[str, str]:
    """Return the message and the remedy of StateUnusable in a separate process."""
    command = [*within, sys.executable, "-c", REPORT, *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 9, done.stderr
    message, remedy = done.stdout.splitlines()
    return message, remedy


def make(folder: Path, rows: int = 40) -> None:
    store = open_store(folder)
    ledger = Ledger(store, folder)
    for number in range(rows):
        ledger.append("observe", "x" * 400, subject="c", key=str(number), kind="Note")
    store.close()


@pytest.fixture
def shared() -> Iterator[Path]:
    """A folder that another user can read: root would not be stopped by missing permissions."""
    folder = Path(tempfile.mkdtemp(prefix="whet-store-"))
    folder.chmod(0o755)
    yield folder
    shutil.rmtree(folder)


def give_away(path: Path) -> None:
    """Give a file to the user that root becomes in `report`."""
    if os.geteuid() == 0:
        os.chown(path, NOBODY, -1)


def test_a_new_state_folder_is_ignored_by_git(tmp_path: Path) -> None:
    make(tmp_path / ".whet", 1)
    assert (tmp_path / ".whet" / ".gitignore").read_text() == "*\n"


def test_reopening_finds_the_recorded_entries(tmp_path: Path) -> None:
    make(tmp_path / ".whet", 3)
    store = open_store(tmp_path / ".whet")
    assert len(Ledger(store, tmp_path / ".whet").entries()) == 3
    store.close()


def test_a_dropped_trigger_is_recreated_at_the_next_opening(tmp_path: Path) -> None:
    make(tmp_path, 1)
    connection = sqlite3.connect(tmp_path / FILE_NAME)
    connection.execute("DROP TRIGGER ledger_no_delete")
    make(tmp_path, 1)
    with pytest.raises(sqlite3.IntegrityError, match="append-only"):
        connection.execute("DELETE FROM ledger")
    connection.close()


def test_a_newer_schema_is_refused_and_not_changed(tmp_path: Path) -> None:
    make(tmp_path, 1)
    connection = sqlite3.connect(tmp_path / FILE_NAME, isolation_level=None)
    connection.execute(f"UPDATE schema_version SET version = {schema.VERSION + 1}")
    connection.execute("DROP TABLE suite_runs")
    with pytest.raises(StateUnusable, match="newer whet") as problem:
        open_store(tmp_path)
    assert problem.value.remedy == "upgrade whet"
    tables = {row[0] for row in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    assert "suite_runs" not in tables
    connection.close()


def test_an_older_schema_gains_the_tables_that_came_later(tmp_path: Path) -> None:
    make(tmp_path, 1)
    connection = sqlite3.connect(tmp_path / FILE_NAME, isolation_level=None)
    connection.execute("UPDATE schema_version SET version = 2")
    connection.execute("DROP TABLE diagnostic_runs")
    make(tmp_path, 1)
    assert connection.execute("SELECT version FROM schema_version").fetchall() == [(schema.VERSION,)]
    assert connection.execute("SELECT * FROM diagnostic_runs").fetchall() == []
    connection.close()


def test_a_file_that_is_not_a_database_is_damage(tmp_path: Path) -> None:
    (tmp_path / FILE_NAME).write_bytes(b"this is not a database, whatever its name says\n" * 100)
    with pytest.raises(StateUnusable, match="not a database") as problem:
        open_store(tmp_path)
    assert "restore .whet/ from a backup" in problem.value.remedy


def test_a_database_with_overwritten_pages_is_damage(tmp_path: Path) -> None:
    make(tmp_path)
    file = tmp_path / FILE_NAME
    data = bytearray(file.read_bytes())
    data[4096:] = b"\xa5" * (len(data) - 4096)
    file.write_bytes(bytes(data))
    with pytest.raises(StateUnusable) as problem:
        make(tmp_path)
    assert "restore .whet/ from a backup" in problem.value.remedy


def test_a_state_folder_that_is_a_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / ".whet").write_text("")
    with pytest.raises(StateUnusable, match="is not a folder") as problem:
        open_store(tmp_path / ".whet")
    assert problem.value.remedy


def test_a_read_only_folder_is_refused(shared: Path) -> None:
    folder = shared / ".whet"
    folder.mkdir(mode=0o500)
    give_away(folder)
    message, remedy = report(folder, 1, NOBODY)
    assert "cannot be written: Permission denied" in message
    assert "writable" in remedy


def test_a_read_only_database_is_refused(shared: Path) -> None:
    folder = shared / ".whet"
    make(folder, 1)
    for path in (folder, *folder.iterdir()):
        path.chmod(0o500 if path == folder else 0o400)
        give_away(path)
    message, remedy = report(folder, 1, NOBODY)
    assert "the state database cannot be used" in message
    assert "writable" in remedy


def test_a_full_disk_is_reported_with_a_remedy(tmp_path: Path) -> None:
    folder = tmp_path / ".whet"
    folder.mkdir()
    bwrap = ("bwrap", "--dev-bind", "/", "/", "--perms", "0700", "--size", str(600 * 1024), "--tmpfs", str(folder))
    message, remedy = report(folder, 10_000, within=bwrap)
    assert "full" in message or "No space left" in message
    assert "space" in remedy or "room" in remedy


def test_a_file_size_limit_is_reported_and_the_chain_stays_valid(tmp_path: Path) -> None:
    make(tmp_path, 1)
    message, remedy = report(tmp_path, 10_000, within=("prlimit", f"--fsize={300 * 1024}"))
    assert "the state database cannot be used" in message
    assert "disk" in remedy
    store = open_store(tmp_path)
    ledger = Ledger(store, tmp_path)
    head = ledger.anchor()
    assert head is not None
    assert verify(ledger.entries(), [("ledger.head", head)]) == []
    assert ledger.append("observe", 1, subject="c", key="after", kind="Note").seq > 1
    store.close()


def test_a_locked_database_is_reported_as_locked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    make(tmp_path, 1)
    holder = sqlite3.connect(tmp_path / FILE_NAME, isolation_level=None)
    holder.execute("BEGIN IMMEDIATE")
    monkeypatch.setattr("whet.store.store.BUSY_MILLISECONDS", 50)
    with pytest.raises(StateUnusable, match="locked") as problem:
        open_store(tmp_path)
    assert problem.value.remedy == "another program has locked it; try again"
    holder.close()


def test_an_error_in_a_transaction_rolls_it_back_and_is_raised_unchanged(tmp_path: Path) -> None:
    store = open_store(tmp_path)
    with pytest.raises(ZeroDivisionError), store.writing() as connection:
        connection.execute(schema.suite_runs.insert().values(key="k", at="t", report="{}"))
        _ = 1 / 0
    with store.reading() as connection:
        assert connection.execute(schema.suite_runs.select()).all() == []
    store.close()
