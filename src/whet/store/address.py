"""The address of a record in a shared database: a PostgreSQL schema of its own.

The database URL comes from the environment, never from whet.toml: a cloned repository must not be able to point whet at
a ledger that an attacker prepared. The schema name comes from the state folder, which a repository cannot contain.
"""

import hashlib
from dataclasses import dataclass
from typing import Any

from sqlalchemy import URL, Engine, create_engine, event, make_url
from sqlalchemy.exc import ArgumentError

from whet.config import STORE_URL
from whet.errors import BadConfig, StateUnusable

_SCHEMES = ("postgresql", "postgres", "postgresql+psycopg")
_SHAPE = f"{STORE_URL}=postgresql://user:password@host:5432/database, with @ : / in a password as %40 %3A %2F"
_CONNECT_SECONDS = "10"


@dataclass(frozen=True)
class Address:
    """A database and the schema of one checkout in it. No message made from it shows the password."""

    url: URL
    schema: str

    @property
    def durable_schema(self) -> str:
        """Return the schema of the durable engine's tables."""
        return f"{self.schema}_durable"

    @property
    def where(self) -> str:
        """Return the place in words, for messages."""
        host = self.url.host or self.url.query.get("host") or "this machine"
        return f"PostgreSQL at {host}, database {self.url.database}, schema {self.schema}"

    @property
    def with_password(self) -> str:
        return self.url.render_as_string(hide_password=False)

    def lock_number(self, name: str) -> int:
        """Return the 64-bit number by which PostgreSQL identifies the advisory lock `name` of this schema."""
        return int.from_bytes(hashlib.sha256(f"{self.schema}/{name}".encode()).digest()[:8], "big", signed=True)

    def engine(self, application: str = "whet") -> Engine:
        """Return an engine whose connections see only this schema and commit synchronously to disk."""
        try:
            engine = create_engine(self.url, connect_args={"application_name": application})
        except ImportError as problem:
            raise StateUnusable(
                "the driver for PostgreSQL, psycopg, is not installed", "pip install 'whet[postgres]'"
            ) from problem

        def prepare(connection: Any, _record: object) -> None:
            with connection.cursor() as cursor:
                cursor.execute(f'SET search_path TO "{self.schema}"')
                cursor.execute("SET synchronous_commit TO on")
            connection.commit()

        event.listen(engine, "connect", prepare, insert=True)  # runs before SQLAlchemy queries the current schema
        return engine

    def describe_error(self, problem: BaseException) -> str:
        """Return the first line of a database error, with passwords replaced."""
        line = (str(getattr(problem, "orig", None) or problem).splitlines() or [""])[0]
        for secret in (self.url.password, self.url.query.get("password"), self.url.query.get("sslpassword")):
            line = line.replace(str(secret), "***") if secret else line
        return line

    def remedy(self, cause: str) -> str:
        """Return the remedy for an error message of the database."""
        for words, remedy in _REMEDIES.items():
            if words in cause:
                return remedy
        return f"check that the database in {STORE_URL} can be used from this machine"


_GONE = "the connection to the server was lost, no recorded data is; run `whet resume` when the server is back"
_REMEDIES = {
    "authentication failed": f"correct the user and the password in {STORE_URL}",
    "no password supplied": f"put the password in {STORE_URL} or in ~/.pgpass",
    "permission denied": f"allow the user in {STORE_URL} to create schemas: GRANT CREATE ON DATABASE",
    "does not exist": f"create the database and the user first, or correct {STORE_URL}",
    "append-only": "nothing was changed: recorded entries cannot be edited or deleted",
    "failed to resolve": f"correct the host in {STORE_URL}",
    "connection failed": f"start the server, or correct host and port in {STORE_URL}; the server must be reachable from this machine",
    "connection is bad": _GONE,
    "closed": _GONE,
    "terminating": _GONE,
    "full": "free some disk space on the server; no recorded data is lost",
}


def parse(text: str) -> URL:
    """Parse a database URL. Raise BadConfig without quoting the URL, which may hold a password, if it is wrong."""
    try:
        url = make_url(text)
    except (ArgumentError, ValueError):
        raise BadConfig(f"{STORE_URL} is not a URL that can be read", _SHAPE) from None
    if url.drivername not in _SCHEMES:
        raise BadConfig(
            f"{STORE_URL} begins with {url.drivername!r}, but whet supports only PostgreSQL",
            f"{_SHAPE}; unset {STORE_URL} to keep the record in .whet/",
        )
    if "@" in (url.host or ""):
        raise BadConfig(f"{STORE_URL} has an @ in its password or user", "write it as %40")
    if not url.database:
        raise BadConfig(f"{STORE_URL} names no database", _SHAPE)
    url = url.set(drivername="postgresql+psycopg")
    return url if "connect_timeout" in url.query else url.update_query_dict({"connect_timeout": _CONNECT_SECONDS})
