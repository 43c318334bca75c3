"""Workflows that survive `kill -9`: DBOS over a SQLite file in the state folder, or over a schema of a shared database.

A step gives back a string (a ledger key); the nouns themselves live in the ledger, once. A workflow that waits at a
gate is a parked thread: the process may end under it, and the next one takes it up where it was.
"""

import contextlib
import fcntl
import os
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO, TypedDict

from dbos import DBOS, DBOSClient, SetWorkflowID, error
from sqlalchemy.exc import DBAPIError

from whet.durable.serializer import Json, foreign_rows, foreign_rows_shared
from whet.errors import AlreadyRunning, DamagedLedger, StateUnusable, Stopped, WhetError
from whet.store.address import Address
from whet.store.advisory_lock import AdvisoryLock

FILE_NAME = "durable.sqlite"
_FILE = f".whet/{FILE_NAME}"
_LOOK_SECONDS = 0.05
_UNSEEN_SECONDS = 0.25
_OUTCOME_SECONDS = 5.0
LOCK_NAME = "engine.lock"
_ENDED = ("SUCCESS", "ERROR", "CANCELLED")


class Where(TypedDict):
    """What DBOS must be told about its database."""

    system_database_url: str
    dbos_system_schema: str


class Engine:
    """One per state folder at a time, and one per shared record: a second process is told who holds it."""

    def __init__(self, folder: Path, address: Address | None = None) -> None:
        self._address = address
        self._lock = _take_lock(folder / LOCK_NAME)
        self._hold: AdvisoryLock | None = None
        self._workflows: dict[str, Callable[[str], str]] = {}
        self._moved = threading.Event()
        self._at_work: set[str] = set()
        self._over: set[str] = set()
        self.halted: WhetError | None = None
        try:
            if address:
                self._hold = AdvisoryLock(address, "engine")
                refuse_foreign_rows(address)
            else:
                _prepare(folder / FILE_NAME)
            where = _where(folder, address)
            self._instance = DBOS(
                config={
                    "name": "whet",
                    "system_database_url": where["system_database_url"],
                    "dbos_system_schema": where["dbos_system_schema"],
                    "application_version": "1",
                    "executor_id": "local",
                    "log_level": "CRITICAL",
                    "serializer": Json(),
                    "notification_listener_polling_interval_sec": _LOOK_SECONDS,
                }
            )
        except BaseException:
            self._let_go()
            raise

    def workflow(self, name: str, function: Callable[[str], str]) -> None:
        """Workflows are registered before the launch, which takes up those that were cut off."""

        def run(identity: str) -> str:
            self._at_work.add(identity)
            try:
                return function(identity)
            finally:
                self._over.add(identity)
                self._at_work.discard(identity)
                self._moved.set()

        run.__qualname__ = run.__name__ = name
        self._workflows[name] = DBOS.workflow(name=name, max_recovery_attempts=None)(run)

    def launch(self) -> None:
        look_for_work(self._instance, every_seconds=_LOOK_SECONDS)
        try:
            DBOS.launch()
        except Exception as problem:
            raise unusable("the durable engine cannot start", problem, self._address) from problem
        if not self.unfinished():
            look_for_work(self._instance, every_seconds=1.0)

    def start(self, name: str, identity: str) -> None:
        """Start a workflow under this id; one that is known already is left as it is."""
        self._over.discard(identity)
        with self._reached(), SetWorkflowID(identity):
            DBOS.start_workflow(self._workflows[name], identity)

    def step(self, name: str, function: Callable[[], str]) -> str:
        """Run once and remember. The kill switch and a ledger that cannot be written or believed do not fail the
        workflow: they park it, so that it goes on when the cause is gone."""

        def run() -> str:
            try:
                if self._hold:
                    self._hold.refuse_if_lost()
                return function()
            except (Stopped, StateUnusable, DamagedLedger) as problem:
                self.halted = problem
                self._moved.set()
                threading.Event().wait()
                raise

        return DBOS.run_step({"name": name}, run)

    def receive(self, topic: str, timeout_seconds: float) -> bool:
        """Wait for a knock on this topic, over restarts; false when the time is over."""
        self._moved.set()
        return DBOS.recv(topic, timeout_seconds=timeout_seconds) is not None

    def knock(self, identity: str, topic: str) -> None:
        with self._reached():
            DBOS.send(identity, "answered", topic)

    def knows(self, identity: str) -> bool:
        """False for one that was started over a file that has been moved away since."""
        with self._reached():
            return DBOS.get_workflow_status(identity) is not None

    def wait(self) -> None:
        """Until a workflow of this process waits, halts or is over, or for as long as what others do may stay unseen."""
        self._moved.wait(_UNSEEN_SECONDS)
        self._moved.clear()

    def ended(self, identity: str) -> bool:
        """Of those that run here it is known; only for others the file is asked."""
        if identity in self._at_work:
            return False
        if identity in self._over:
            return True
        with self._reached():
            status = DBOS.get_workflow_status(identity)
        return status is not None and status.status in _ENDED

    def unfinished(self) -> list[str]:
        with self._reached():
            return [found.workflow_id for found in DBOS.list_workflows(status=["PENDING", "ENQUEUED"])]

    def close(self) -> None:
        with contextlib.suppress(StateUnusable):  # whoever closes has said so, or has nothing to lose
            self._let_outcomes_be_written()
        DBOS.destroy(destroy_registry=True)
        self._let_go()

    @contextlib.contextmanager
    def _reached(self) -> Iterator[None]:
        """DBOS tries for ever to reach a server that is gone, so it is asked first whether ours still is there."""
        if self._hold:
            self._hold.refuse_if_lost()
        try:
            yield
        except DBAPIError as problem:
            raise unusable("the durable engine cannot be reached", problem, self._address) from problem

    def _let_go(self) -> None:
        if self._hold:
            self._hold.close()
        self._lock.close()

    def _let_outcomes_be_written(self) -> None:
        """DBOS writes down that a workflow is over after its last line has run; ended before that, it would run again."""
        until = time.monotonic() + _OUTCOME_SECONDS
        while self._over and self._over.intersection(self.unfinished()) and time.monotonic() < until:
            time.sleep(_LOOK_SECONDS / 10)


def look_for_work(instance: DBOS, every_seconds: float) -> bool:
    """What was cut off is taken up through a queue that DBOS looks at once a second, and has no setting for."""
    try:
        instance._registry.get_internal_queue()._polling_interval_sec = every_seconds
    except AttributeError:
        return False  # another version of DBOS: a second is lost, nothing else
    return True


def wake(folder: Path, identity: str, topic: str, address: Address | None = None) -> None:
    """Knock at a gate from any process; a workflow that nobody runs finds the knock when it is taken up, and one that
    is not known any more looks for its answer when it is started again."""
    client = DBOSClient(**_where(folder, address), serializer=Json(), lazy=True, retry_connection_errors=False)
    try:
        client.send(identity, "answered", topic)
    except error.DBOSNonExistentWorkflowError:
        return
    except Exception as problem:
        what = "the answer is recorded, but the durable engine cannot be reached"
        raise unusable(what, problem, address) from problem
    finally:
        client.destroy()


def unusable(what: str, problem: Exception | None = None, address: Address | None = None) -> StateUnusable:
    cause = "" if problem is None else address.told(problem) if address else str(problem).splitlines()[0]
    damaged = (
        f"the schema {address.durable_schema} is damaged, drop it" if address else f"{_FILE} is damaged, move it away"
    )
    return StateUnusable(
        f"{what}: {cause}" if cause else what,
        f"if {damaged} and run `whet resume`: open proposals go on from the ledger",
    )


def refuse_foreign_rows(address: Address) -> None:
    try:
        foreign = foreign_rows_shared(address)
    except DBAPIError as problem:
        raise unusable("the durable engine cannot start", problem, address) from problem
    if foreign:
        raise unusable(f"{address.durable_schema} was not written by this whet (table {foreign[0]})", address=address)


def _prepare(path: Path) -> None:
    """One flush to disk per commit instead of several; and nothing in it that is not ours to read."""
    try:
        with contextlib.closing(sqlite3.connect(path)) as connection:
            connection.execute("PRAGMA journal_mode=WAL")
        foreign = foreign_rows(path)
    except sqlite3.Error as problem:
        raise unusable("the durable engine cannot start", problem) from problem
    if foreign:
        raise unusable(f"{path.name} was not written by this whet (table {foreign[0]})")


def _where(folder: Path, address: Address | None) -> Where:
    if address:
        return {"system_database_url": address.with_password, "dbos_system_schema": address.durable_schema}
    return {"system_database_url": f"sqlite:///{folder / FILE_NAME}", "dbos_system_schema": "dbos"}


def _take_lock(path: Path) -> IO[str]:
    try:
        lock = path.open("a+")
    except OSError as problem:
        raise StateUnusable(f"{path} cannot be opened: {problem.strerror}") from problem
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        lock.seek(0)
        holder = lock.read().strip() or "unknown"
        lock.close()
        raise AlreadyRunning(
            f"another whet (process {holder}) is at work on this repository", "wait for it, or end it, and try again"
        ) from None
    lock.truncate(0)
    lock.write(str(os.getpid()))
    lock.flush()
    return lock
