import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from whet.ledger.ledger import Ledger
from whet.store.store import FILE_NAME, open_store

Tamper = Callable[..., None]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / ".whet"


@pytest.fixture
def ledger(folder: Path) -> Iterator[Ledger]:
    store = open_store(folder)
    yield Ledger(store, folder)
    store.close()


@pytest.fixture
def tamper(folder: Path) -> Tamper:
    """Run statements like an attacker with an SQLite shell: the triggers are dropped first, hashes are not updated."""

    def run(*statements: str) -> None:
        connection = sqlite3.connect(folder / FILE_NAME, isolation_level=None)
        for verb in ("update", "delete"):
            connection.execute(f"DROP TRIGGER IF EXISTS ledger_no_{verb}")
        for statement in statements:
            connection.execute(statement)
        connection.close()

    return run
