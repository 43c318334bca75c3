"""The state database: one writer at a time, and every commit is flushed to disk."""

import contextlib
import weakref
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Engine, create_engine, event, insert, inspect, select, text, update
from sqlalchemy.exc import DatabaseError, DBAPIError

from whet import state_folder
from whet.errors import StateUnusable
from whet.store import schema
from whet.store.address import Address, parse
from whet.store.location import FILE_NAME, refuse_a_second, schema_of
from whet.store.planted import refuse_planted

__all__ = ["FILE_NAME", "Store", "open_store"]

BUSY_MILLISECONDS = 15_000
_LOCK = 7765431
_DAMAGED = "it is damaged: restore the database from a backup; every deployment is in git"


class Store:
    """The tables, in a file of the state folder or in a schema of a PostgreSQL database. Creates and migrates them."""

    def __init__(self, engine: Engine, address: Address | None = None) -> None:
        self._engine, self.address = engine, address
        self._file = engine.url.database or ""
        self._lock = address.lock_number("writing") if address else _LOCK
        weakref.finalize(
            self, engine.dispose
        )  # at process end at the latest, so that SQLite merges its log into the file
        with self.writing() as connection:
            if address:
                _make_schema(connection, address.schema)
            version = _version(connection, _DAMAGED if address else _remedy("malformed"))
            schema.metadata.create_all(connection)
            _migrate(connection, version)

    @contextlib.contextmanager
    def writing(self) -> Iterator[Connection]:
        """Open a transaction that holds the write lock from its start. Roll it back on any exception.

        Planted triggers are looked for under the lock; in a SQLite file none can appear before the end of the transaction.
        """
        with self._explained(), self._engine.connect() as connection:
            if self._engine.dialect.name == "sqlite":
                connection.exec_driver_sql("BEGIN IMMEDIATE")
                try:
                    refuse_planted(connection, self._file)
                    yield connection
                except BaseException:
                    with contextlib.suppress(DBAPIError):  # with a full disk SQLite has rolled back already
                        connection.exec_driver_sql("ROLLBACK")
                    raise
                connection.exec_driver_sql("COMMIT")
            else:
                with connection.begin():
                    connection.execute(text("SELECT pg_advisory_xact_lock(:number)"), {"number": self._lock})
                    refuse_planted(connection, self._file)
                    yield connection

    @contextlib.contextmanager
    def reading(self) -> Iterator[Connection]:
        """Open a connection for reading."""
        with self._explained(), self._engine.connect() as connection:
            refuse_planted(connection, self._file)
            yield connection

    def close(self) -> None:
        self._engine.dispose()

    @contextlib.contextmanager
    def _explained(self) -> Iterator[None]:
        """Turn database errors into StateUnusable with a cause and a remedy."""
        try:
            yield
        except (DBAPIError, DatabaseError) as problem:
            address = self.address
            cause = address.describe_error(problem) if address else str(problem.orig or problem).splitlines()[0]
            remedy = address.remedy(cause) if address else _remedy(cause)
            raise StateUnusable(f"the state database cannot be used: {cause}", remedy) from problem


def open_store(folder: Path, url: str = "") -> Store:
    """Open the store of a state folder: in the database at `url`, or in the folder if `url` is empty.

    Creates the folder if needed. Raises StateUnusable if the store cannot be used.
    """
    database = parse(url) if url else None
    try:
        state_folder.make_folder(folder)
    except OSError as problem:
        raise StateUnusable(
            f"{folder} cannot be written: {problem.strerror}",
            "make it writable for your user; whet does nothing that it cannot record",
        ) from problem
    refuse_a_second(folder, by_url=database is not None)
    if database:
        address = Address(database, schema_of(folder))
        return Store(address.engine(), address)
    connect = partial(state_folder.connect, folder, FILE_NAME, schema.OWN_TRIGGERS, check_same_thread=False)
    engine = create_engine(f"sqlite:///{folder / FILE_NAME}", creator=connect)
    event.listen(engine, "connect", _prepare_sqlite)
    return Store(engine)


def _make_schema(connection: Connection, name: str) -> None:
    """Create the schema unless it exists. The check comes first, because CREATE SCHEMA needs a privilege that the user
    of an existing schema may not have."""
    if connection.execute(text("SELECT to_regnamespace(:name)"), {"name": name}).scalar() is None:
        connection.execute(text(f'CREATE SCHEMA "{name}"'))


def _prepare_sqlite(connection: Any, _record: object) -> None:
    connection.isolation_level = None  # `writing` begins transactions itself, with the write lock
    for pragma in (f"busy_timeout={BUSY_MILLISECONDS}", "journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON"):
        connection.execute(f"PRAGMA {pragma}")


def _version(connection: Connection, remedy: str) -> int | None:
    """Return the schema version of the database; None if it has none of our tables.

    A table that its version should have and that is missing is damage and raises StateUnusable: a new empty table would
    claim that nothing was recorded or spent.
    """
    tables = set(inspect(connection).get_table_names()) & set(schema.metadata.tables)
    if not tables:
        return None
    version: object = None
    if schema.schema_version.name in tables:
        version = connection.execute(select(schema.schema_version.c.version)).scalar()
    if not isinstance(version, int):
        raise StateUnusable("the state database has no schema version", remedy)
    if version > schema.VERSION:
        raise StateUnusable(
            f"the state folder was written by a newer whet (schema {version}, this one knows {schema.VERSION})",
            "upgrade whet",
        )
    for name in schema.metadata.tables:
        if name not in tables and schema.SINCE.get(name, 1) <= version:
            raise StateUnusable(f"the table {name!r} is missing from the state database", remedy)
    return version


def _migrate(connection: Connection, version: int | None) -> None:
    """Store the current schema version and create the triggers that keep the ledger append-only."""
    if version is None:
        connection.execute(insert(schema.schema_version).values(version=schema.VERSION))
    elif version < schema.VERSION:
        connection.execute(update(schema.schema_version).values(version=schema.VERSION))
    is_sqlite = connection.dialect.name == "sqlite"
    for statement in schema.APPEND_ONLY if is_sqlite else schema.APPEND_ONLY_POSTGRESQL:
        connection.execute(text(statement))


def _remedy(cause: str) -> str:
    if "malformed" in cause or "not a database" in cause or "decode" in cause:
        return "it is damaged: restore .whet/ from a backup, or move it away and start a new one; every deployment is in git"
    if "full" in cause:
        return "free some disk space and try again; no recorded data is lost"
    if "I/O error" in cause:
        return "the disk is failing or full, or has a file size limit; correct that and try again"
    if "locked" in cause:
        return "another program has locked it; try again"
    return "make .whet/ readable and writable for you"
