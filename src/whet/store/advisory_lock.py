"""A lock in the shared database: held by a connection of its own, so that it ends with the process, however that ends."""

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
_LONGEST_NAME = 63  # PostgreSQL cuts off what is longer
_KEPT_ALIVE = ("tcp_keepalives_idle = 30", "tcp_keepalives_interval = 10", "tcp_keepalives_count = 3")
_HOLDERS = text(
    "SELECT application_name FROM pg_locks JOIN pg_stat_activity USING (pid) WHERE locktype = 'advisory' AND granted "
    "AND pg_locks.database = (SELECT oid FROM pg_database WHERE datname = current_database()) AND objsubid = 1 "
    "AND (classid::bigint << 32 | objid::bigint) = :number ORDER BY backend_start"
)


class AdvisoryLock:
    """One process at a time, on whatever machine; a second one is told who has it. A `shared` one is held by many.

    A machine that vanished without a word is noticed by the server after a minute.
    """

    def __init__(self, address: Address, what: str, *, name: str = "", shared: bool = False) -> None:
        self._lock = "pg_try_advisory_lock_shared" if shared else "pg_try_advisory_lock"
        self._address, self._number = address, address.lock_number(what)
        self._one_at_a_time = threading.Lock()
        self._engine = address.engine(name[:_LONGEST_NAME] or process_name())
        self._connection = self._connect()
        try:
            self._take()
        except BaseException:
            self.close()
            raise

    def refuse_if_lost(self) -> None:
        """A server that was restarted, or a connection that was cut, has given the lock to whoever asks next."""
        with self._one_at_a_time:
            try:
                self._connection.execute(text("SELECT 1"))
            except DBAPIError as problem:
                raise StateUnusable(
                    f"the lock on the record is lost: {self._address.told(problem)}",
                    "nothing that was recorded is lost: `whet resume` goes on",
                ) from problem

    def close(self) -> None:
        self._connection.close()
        self._engine.dispose()

    def _connect(self) -> Connection:
        try:
            connection = self._engine.connect().execution_options(isolation_level="AUTOCOMMIT")
            for setting in _KEPT_ALIVE:
                connection.execute(text(f"SET {setting}"))
        except DBAPIError as problem:
            cause = self._address.told(problem)
            raise StateUnusable(f"the state database cannot be used: {cause}", self._address.remedy(cause)) from problem
        return connection

    def _take(self) -> None:
        """A process that was killed a moment ago may still be on the server's mind."""
        for _ in range(_TRIES):
            if self._connection.execute(text(f"SELECT {self._lock}(:number)"), {"number": self._number}).scalar():
                return
            time.sleep(_PAUSE_SECONDS)
        found = self._connection.execute(_HOLDERS, {"number": self._number}).scalars()
        raise AlreadyRunning(
            f"another whet ({next(iter(found), 'unknown')}) is at work on this repository",
            "wait for it, or end it, and try again",
        )


def holders(engine: Engine, number: int) -> list[str]:
    """Who holds a lock, by the names that they gave; none that has ended is among them."""
    with engine.connect() as connection:
        return list(connection.execute(_HOLDERS, {"number": number}).scalars())


def worker_is_alive(address: Address) -> bool:
    """Whether a worker is alive there; where that cannot be told, none is."""
    engine = address.engine()
    try:
        return bool(holders(engine, address.lock_number(WORKER)))
    except DBAPIError:
        return False
    finally:
        engine.dispose()


def process_name() -> str:
    """This process, as others see it in the database."""
    return f"process {getpid()} on {platform.node()}"[:_LONGEST_NAME]
