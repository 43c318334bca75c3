"""Locks in the shared database. A connection of its own holds each lock, so the lock ends with the process."""

import platform
import threading
import time
from os import getpid

from sqlalchemy import Connection, Engine, text
from sqlalchemy.exc import DBAPIError

from whet.errors import AlreadyRunning, StateUnusable
from whet.store.address import Address

WORKER = "worker"
_TRIES, _PAUSE_SECONDS = 5, 0.2
_LONGEST_NAME = 63  # PostgreSQL truncates longer names
_KEEPALIVE = ("tcp_keepalives_idle = 30", "tcp_keepalives_interval = 10", "tcp_keepalives_count = 3")
_HOLDERS = text(
    "SELECT application_name FROM pg_locks JOIN pg_stat_activity USING (pid) WHERE locktype = 'advisory' AND granted "
    "AND pg_locks.database = (SELECT oid FROM pg_database WHERE datname = current_database()) AND objsubid = 1 "
    "AND (classid::bigint << 32 | objid::bigint) = :number ORDER BY backend_start"
)


class AdvisoryLock:
    """A lock that one process holds at a time, across machines. Many processes can hold a `shared` lock.

    `name` is shown to other processes as the holder. The server's TCP keepalive releases the lock about a minute after
    the holder's machine disappears.
    """

    def __init__(self, address: Address, lock: str, *, name: str = "", shared: bool = False) -> None:
        self._function = "pg_try_advisory_lock_shared" if shared else "pg_try_advisory_lock"
        self._address, self._number = address, address.lock_number(lock)
        self._connection_lock = threading.Lock()
        self._engine = address.engine(name[:_LONGEST_NAME] or process_name())
        self._connection = self._connect()
        try:
            self._take()
        except BaseException:
            self.close()
            raise

    def refuse_if_lost(self) -> None:
        """Raise StateUnusable if the connection broke or the server restarted, since the lock is then free for others."""
        with self._connection_lock:
            try:
                self._connection.execute(text("SELECT 1"))
            except DBAPIError as problem:
                raise StateUnusable(
                    f"the lock on the record is lost: {self._address.describe_error(problem)}",
                    "no recorded data is lost; run `whet resume` to continue",
                ) from problem

    def close(self) -> None:
        self._connection.close()
        self._engine.dispose()

    def _connect(self) -> Connection:
        try:
            connection = self._engine.connect().execution_options(isolation_level="AUTOCOMMIT")
            for setting in _KEEPALIVE:
                connection.execute(text(f"SET {setting}"))
        except DBAPIError as problem:
            cause = self._address.describe_error(problem)
            raise StateUnusable(f"the state database cannot be used: {cause}", self._address.remedy(cause)) from problem
        return connection

    def _take(self) -> None:
        """Take the lock or raise AlreadyRunning. Try several times, because the server may take a moment to notice that
        a killed process is gone."""
        for _ in range(_TRIES):
            if self._connection.execute(text(f"SELECT {self._function}(:number)"), {"number": self._number}).scalar():
                return
            time.sleep(_PAUSE_SECONDS)
        names = self._connection.execute(_HOLDERS, {"number": self._number}).scalars()
        raise AlreadyRunning(
            f"another whet ({next(iter(names), 'unknown')}) is at work on this repository",
            "wait for it or end it, then try again",
        )


def holders(engine: Engine, number: int) -> list[str]:
    """Return the names of the processes that hold a lock, oldest connection first."""
    with engine.connect() as connection:
        return list(connection.execute(_HOLDERS, {"number": number}).scalars())


def worker_is_alive(address: Address) -> bool:
    """True if a worker holds its lock; false if none does or the database cannot be reached."""
    engine = address.engine()
    try:
        return bool(holders(engine, address.lock_number(WORKER)))
    except DBAPIError:
        return False
    finally:
        engine.dispose()


def process_name() -> str:
    """Return the name of this process that others see in the database."""
    return f"process {getpid()} on {platform.node()}"[:_LONGEST_NAME]
