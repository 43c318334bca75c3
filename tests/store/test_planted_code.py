"""Triggers, rules and views that somebody else put into the state database are refused by name, and nothing is written."""

import contextlib
import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import create_engine, text

from whet import state_folder
from whet.errors import StateUnusable
from whet.ledger.ledger import Ledger
from whet.store.store import FILE_NAME, Store, open_store

REWRITES = "BEGIN UPDATE ledger SET body = '{}' WHERE seq = new.seq; END"
# What somebody adds with an SQLite shell, and the name that the refusal must say.
PLANTED = {
    "rewrites the new row": f"CREATE TRIGGER planted AFTER INSERT ON ledger {REWRITES}",
    "drops the new row": "CREATE TRIGGER planted BEFORE INSERT ON ledger BEGIN SELECT RAISE(IGNORE); END",
    "gives budget back": "CREATE TRIGGER planted AFTER INSERT ON reservations BEGIN DELETE FROM reservations; END",
    "edits a cached run": "CREATE TRIGGER planted AFTER INSERT ON suite_runs BEGIN UPDATE suite_runs SET report = ''; END",
    "only reads": "CREATE VIEW planted AS SELECT * FROM ledger",
    "another trigger of that name": "DROP TRIGGER ledger_no_update; CREATE TRIGGER ledger_no_update AFTER INSERT ON ledger "
    + REWRITES,
    "another letter case": "DROP TRIGGER ledger_no_update; CREATE TRIGGER LEDGER_NO_UPDATE BEFORE UPDATE OF at ON ledger "
    "BEGIN SELECT 1; END",
    "a view in place of a table": "ALTER TABLE suite_runs RENAME TO planted_runs; "
    "CREATE VIEW suite_runs AS SELECT key, at, 'planted' AS report FROM planted_runs",
    "a virtual table": "DROP TABLE suite_runs; CREATE VIRTUAL TABLE suite_runs USING fts4(key, at, report)",
}


def plant(folder: Path, name: str) -> str:
    """Add something to the database as its user, and return the name that a refusal must say."""
    with contextlib.closing(sqlite3.connect(folder / FILE_NAME, isolation_level=None)) as connection:
        connection.execute("DROP TRIGGER ledger_no_delete")
        connection.executescript(PLANTED[name])
    return PLANTED[name].rpartition("CREATE ")[2].removeprefix("VIRTUAL ").split()[1]


def rows(folder: Path) -> list[tuple[int, str]]:
    with contextlib.closing(sqlite3.connect(folder / FILE_NAME)) as connection:
        return connection.execute("SELECT seq, body FROM ledger").fetchall()


@pytest.mark.parametrize("name", PLANTED)
def test_planted_code_is_refused_by_name_and_nothing_is_written(tmp_path: Path, name: str) -> None:
    folder = tmp_path / ".whet"
    store = open_store(folder)
    Ledger(store, folder).append("observe", {"n": 1}, subject="s", key="1")
    before, planted = rows(folder), plant(folder, name)
    with pytest.raises(StateUnusable, match=f"{planted!r}") as running:
        Ledger(store, folder).append("observe", {"n": 2}, subject="s", key="2")
    store.close()
    with pytest.raises(StateUnusable, match=f"{planted!r}"):
        open_store(folder)
    assert rows(folder) == before
    assert "DROP" in running.value.remedy


@pytest.mark.parametrize("name", PLANTED)
def test_planted_code_is_refused_when_whet_reads(tmp_path: Path, name: str) -> None:
    store = open_store(tmp_path)
    ledger = Ledger(store, tmp_path)
    ledger.append("observe", {"n": 1}, subject="s", key="1")
    plant(tmp_path, name)
    with pytest.raises(StateUnusable, match="was not put there by whet"):
        ledger.entries()
    store.close()


def test_what_whet_puts_there_is_not_refused(tmp_path: Path) -> None:
    for number in range(3):
        store = open_store(tmp_path)
        Ledger(store, tmp_path).append("observe", {}, subject="s", key=str(number))
        store.close()
    with contextlib.closing(sqlite3.connect(tmp_path / FILE_NAME)) as connection:
        connection.execute("ANALYZE")  # makes a table of statistics
    store = open_store(tmp_path)
    assert Ledger(store, tmp_path).head().seq == 3
    store.close()


@pytest.mark.parametrize("file", ["executions.sqlite", "events.sqlite", "durable.sqlite"])
def test_every_database_of_the_folder_is_opened_without_planted_code(tmp_path: Path, file: str) -> None:
    state_folder.make_folder(tmp_path)
    with contextlib.closing(state_folder.connect(tmp_path, file)) as connection:
        connection.executescript(
            "CREATE TABLE t (x); CREATE TRIGGER planted AFTER INSERT ON t BEGIN DELETE FROM t; END"
        )
    with pytest.raises(StateUnusable, match=f"{file} has the trigger 'planted'"):
        state_folder.connect(tmp_path, file)


# ---- PostgreSQL --------------------------------------------------------------------------------------------------------

CHANGES = "LANGUAGE plpgsql AS $$ BEGIN NEW.body := '{}'; RETURN NEW; END $$"
PLANTED_POSTGRESQL = {
    "trigger": f"CREATE FUNCTION other() RETURNS trigger {CHANGES}; "
    "CREATE TRIGGER planted BEFORE INSERT ON ledger FOR EACH ROW EXECUTE FUNCTION other()",
    "rule": "CREATE RULE planted AS ON INSERT TO ledger DO INSTEAD NOTHING",
    "view": "CREATE VIEW planted AS SELECT * FROM ledger",
    "trigger of our name": f"CREATE FUNCTION other() RETURNS trigger {CHANGES}; DROP TRIGGER ledger_no_change ON ledger; "
    "CREATE TRIGGER ledger_no_change BEFORE INSERT ON ledger FOR EACH ROW EXECUTE FUNCTION other()",
}


@pytest.fixture
def address(postgres: str) -> Iterator[str]:
    engine = create_engine(postgres)
    with engine.begin() as connection:
        connection.execute(text("DROP SCHEMA public CASCADE; CREATE SCHEMA public"))
    engine.dispose()
    yield postgres


@pytest.mark.parametrize("name", PLANTED_POSTGRESQL)
def test_planted_code_in_postgresql_is_refused_by_name(address: str, tmp_path: Path, name: str) -> None:
    store = Store(create_engine(address))
    state_folder.make_folder(tmp_path / ".whet")
    ledger = Ledger(store, tmp_path / ".whet")
    ledger.append("observe", {"n": 1}, subject="s", key="1")
    engine = create_engine(address)
    with engine.begin() as connection:
        connection.execute(text(PLANTED_POSTGRESQL[name]))
    with pytest.raises(StateUnusable, match="ledger_no_change" if "our name" in name else "planted"):
        ledger.append("observe", {"n": 2}, subject="s", key="2")
    with engine.connect() as connection:
        assert connection.execute(text("SELECT count(*) FROM ledger")).scalar() == 1
    engine.dispose()
    store.close()
