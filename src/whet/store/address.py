"""The place of a record that is not in its state folder: a PostgreSQL schema of its own.

The database comes from the environment alone, never from whet.toml: a cloned repository must not be able to point whet at
a ledger that somebody prepared. Which schema it is comes from the state folder, which no repository can bring along.
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
    """A database, and what belongs to one checkout in it. Its words never show a password."""

    url: URL
    schema: str

    @property
    def durable_schema(self) -> str:
        """What the durable engine keeps, in tables that are its own."""
        return f"{self.schema}_durable"

    @property
    def where(self) -> str:
        host = self.url.host or self.url.query.get("host") or "this machine"
        return f"PostgreSQL at {host}, database {self.url.database}, schema {self.schema}"

    @property
    def with_password(self) -> str:
        return self.url.render_as_string(hide_password=False)

    def lock_number(self, what: str) -> int:
        """The name of a lock, as the 64 bits that PostgreSQL knows locks by."""
        return int.from_bytes(hashlib.sha256(f"{self.schema}/{what}".encode()).digest()[:8], "big", signed=True)

    def engine(self, application: str = "whet") -> Engine:
        """Connections that see this schema and no other, and whose commits are on disk before they count."""
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

        event.listen(engine, "connect", prepare, insert=True)  # before SQLAlchemy asks which schema it is in
        return engine

    def told(self, problem: BaseException) -> str:
        """What the database said, in one line and without the password."""
        line = (str(getattr(problem, "orig", None) or problem).splitlines() or [""])[0]
        for secret in (self.url.password, self.url.query.get("password"), self.url.query.get("sslpassword")):
            line = line.replace(str(secret), "***") if secret else line
        return line

    def remedy(self, cause: str) -> str:
        """What to do about something the database said."""
        found = [remedy for words, remedy in _REMEDIES.items() if words in cause]
        return found[0] if found else f"see that the database that {STORE_URL} names can be used from here"


_GONE = "the server went away; nothing that was recorded is lost: `whet resume` goes on when it is back"
_REMEDIES = {
    "authentication failed": f"correct the user and the password in {STORE_URL}",
    "no password supplied": f"give the password in {STORE_URL}, or in ~/.pgpass",
    "permission denied": f"let the user in {STORE_URL} create schemas there: GRANT CREATE ON DATABASE",
    "does not exist": f"create the database and the user first, or correct {STORE_URL}",
    "append-only": "nothing was changed; what is recorded stays",
    "failed to resolve": f"correct the host in {STORE_URL}",
    "connection failed": f"start the server, or correct {STORE_URL}: host, port, and whether it is reachable from here",
    "connection is bad": _GONE,
    "closed": _GONE,
    "terminating": _GONE,
    "full": "free some disk space on the server; nothing that was recorded is lost",
}


def parse(text: str) -> URL:
    """A database from its URL, or a refusal that quotes nothing of it."""
    try:
        url = make_url(text)
    except (ArgumentError, ValueError):
        raise BadConfig(f"{STORE_URL} is not a URL that can be read", _SHAPE) from None
    if url.drivername not in _SCHEMES:
        raise BadConfig(
            f"{STORE_URL} begins with {url.drivername!r}, and whet knows PostgreSQL alone",
            f"{_SHAPE}; without {STORE_URL} the record is in .whet/",
        )
    if "@" in (url.host or ""):
        raise BadConfig(f"{STORE_URL} has an @ in its password or user", "write it as %40")
    if not url.database:
        raise BadConfig(f"{STORE_URL} names no database", _SHAPE)
    url = url.set(drivername="postgresql+psycopg")
    return url if "connect_timeout" in url.query else url.update_query_dict({"connect_timeout": _CONNECT_SECONDS})
