"""The database behind the ledger: one writer at a time, every commit on disk before it counts."""

import contextlib
import weakref
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Engine, create_engine, event, insert, inspect, select, text, update
from sqlalchemy.exc import DatabaseError, DBAPIError

from whet.errors import StateUnusable
from whet.store import schema
from whet.store.address import Address, parse
from whet.store.location import FILE_NAME, refuse_a_second, schema_of

__all__ = ["FILE_NAME", "Store", "open_store"]

BUSY_MILLISECONDS = 15_000
_LOCK = 7765431
_DAMAGED = "it is damaged: restore the database from a backup; git holds every deployment"


class Store:
    """Tables in a file of the state folder, or in a schema of a PostgreSQL database."""

    def __init__(self, engine: Engine, address: Address | None = None) -> None:
        self._engine, self.address = engine, address
        self._lock = address.lock_number("writing") if address else _LOCK
        weakref.finalize(self, engine.dispose)  # at the latest when the process ends: the log is then part of the file
        with self.writing() as connection:
            if address:
                _make_schema(connection, address.schema)
            version = _version(connection, _DAMAGED if address else _remedy("malformed"))
            schema.metadata.create_all(connection)
            _migrate(connection, version)

    @contextlib.contextmanager
    def writing(self) -> Iterator[Connection]:
        """A transaction that holds the write lock from its start."""
        with self._explained(), self._engine.connect() as connection:
            if self._engine.dialect.name == "sqlite":
                connection.exec_driver_sql("BEGIN IMMEDIATE")
                try:
                    yield connection
                except BaseException:
                    with contextlib.suppress(DBAPIError):  # a full disk has rolled it back already
                        connection.exec_driver_sql("ROLLBACK")
                    raise
                connection.exec_driver_sql("COMMIT")
            else:
                with connection.begin():
                    connection.execute(text("SELECT pg_advisory_xact_lock(:number)"), {"number": self._lock})
                    yield connection

    @contextlib.contextmanager
    def reading(self) -> Iterator[Connection]:
        with self._explained(), self._engine.connect() as connection:
            yield connection

    def close(self) -> None:
        self._engine.dispose()

    @contextlib.contextmanager
    def _explained(self) -> Iterator[None]:
        try:
            yield
        except (DBAPIError, DatabaseError) as problem:
            here = self.address
            cause = here.told(problem) if here else str(problem.orig or problem).splitlines()[0]
            remedy = here.remedy(cause) if here else _remedy(cause)
            raise StateUnusable(f"the state database cannot be used: {cause}", remedy) from problem


def open_store(folder: Path, url: str = "") -> Store:
    """The store of a state folder, in it or in the database that a URL names; what keeps it from being used is said in one
    sentence."""
    database = parse(url) if url else None
    try:
        folder.mkdir(exist_ok=True)
        ignore = folder / ".gitignore"
        if not ignore.exists():
            ignore.write_text("*\n")
    except OSError as problem:
        raise StateUnusable(
            f"{folder} cannot be written: {problem.strerror}", "make it writable for you; whet does nothing unrecorded"
        ) from problem
    refuse_a_second(folder, by_url=database is not None)
    if database:
        address = Address(database, schema_of(folder))
        return Store(address.engine(), address)
    engine = create_engine(f"sqlite:///{folder / FILE_NAME}")
    event.listen(engine, "connect", _prepare_sqlite)
    return Store(engine)


def _make_schema(connection: Connection, name: str) -> None:
    """Asked for first: a user who may not make one can use the one that is there."""
    if connection.execute(text("SELECT to_regnamespace(:name)"), {"name": name}).scalar() is None:
        connection.execute(text(f'CREATE SCHEMA "{name}"'))


def _prepare_sqlite(connection: Any, _record: object) -> None:
    connection.isolation_level = None  # transactions are begun by hand, with the write lock
    for pragma in (f"busy_timeout={BUSY_MILLISECONDS}", "journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON"):
        connection.execute(f"PRAGMA {pragma}")


def _version(connection: Connection, remedy: str) -> int | None:
    """The schema that is there, None for a database without one of ours. A table that was there and is not any more is
    damage: made anew it would say that nothing was recorded or spent."""
    found = set(inspect(connection).get_table_names()) & set(schema.metadata.tables)
    if not found:
        return None
    known = schema.schema_version.name in found
    version: object = connection.execute(select(schema.schema_version.c.version)).scalar() if known else None
    if not isinstance(version, int):
        raise StateUnusable("the state database does not say which schema it has", remedy)
    if version > schema.VERSION:
        raise StateUnusable(
            f"the state folder was written by a newer whet (schema {version}, this one knows {schema.VERSION})",
            "upgrade whet",
        )
    for name in schema.metadata.tables:
        if name not in found and schema.SINCE.get(name, 1) <= version:
            raise StateUnusable(f"the state database has lost its table {name!r}", remedy)
    return version


def _migrate(connection: Connection, version: int | None) -> None:
    if version is None:
        connection.execute(insert(schema.schema_version).values(version=schema.VERSION))
    elif version < schema.VERSION:
        connection.execute(update(schema.schema_version).values(version=schema.VERSION))
    is_sqlite = connection.dialect.name == "sqlite"
    for statement in schema.APPEND_ONLY if is_sqlite else schema.APPEND_ONLY_POSTGRESQL:
        connection.execute(text(statement))


def _remedy(cause: str) -> str:
    if "malformed" in cause or "not a database" in cause or "decode" in cause:
        return "it is damaged: restore .whet/ from a backup, or move it away and start a new one; git holds every deployment"
    if "full" in cause:
        return "free some disk space and run the command again; nothing that was recorded is lost"
    if "I/O error" in cause:
        return "the disk fails, is full, or refuses larger files; see to that and run the command again"
    if "locked" in cause:
        return "another program holds it; try again"
    return "make .whet/ readable and writable for you"
