"""Workflows that survive `kill -9`: DBOS over a SQLite file in the state folder, or over a schema of a shared database.

A step returns a string, the key of a ledger entry; the nouns themselves are stored in the ledger only. A workflow that
waits at a gate is a waiting thread: it ends when the engine closes, and the next process resumes the workflow at that gate.
"""

import contextlib
import fcntl
import os
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import IO, NoReturn, TypedDict, cast

from dbos import DBOS, DBOSClient, SetWorkflowID, error
from sqlalchemy import create_engine
from sqlalchemy.exc import DBAPIError

from whet import state_folder
from whet.durable.rows import Rows
from whet.durable.serializer import Json
from whet.errors import PARKING, AlreadyRunning, StateUnusable, WhetError
from whet.store.address import Address
from whet.store.advisory_lock import AdvisoryLock

FILE_NAME = "durable.sqlite"
_FILE = f".whet/{FILE_NAME}"
_POLL_SECONDS = 0.05
_IDLE_POLL_SECONDS = 1.0
_OTHER_PROCESSES_SECONDS = 0.25  # at most this late a change by another process is noticed
_OUTCOME_SECONDS = 5.0
LOCK_NAME = "engine.lock"
_ENDED = ("SUCCESS", "ERROR", "CANCELLED")


class DatabaseSettings(TypedDict):
    """The settings of DBOS that name its database."""

    system_database_url: str
    dbos_system_schema: str


class EngineClosed(BaseException):
    """Ends the thread of a workflow that waits while its engine closes.

    DBOS records the outcome of a workflow that returns or raises an Exception. This is none, so the workflow stays
    interrupted, and a later process resumes it. A thread that waited on would keep Python from exiting.
    """


class Engine:
    """The durable engine of this process. A lock admits one engine per state folder and per shared record; a second one
    gets AlreadyRunning with the name of the holder."""

    run_step = staticmethod(cast("Callable[[Mapping[str, str], Callable[[], str]], str]", DBOS.run_step))
    """Run a step once and remember the ledger key that it returns."""

    def __init__(self, folder: Path, address: Address | None = None) -> None:
        self._address = address
        self._lock = _take_lock(folder)
        self._file: tuple[Path, str, tuple[int, int]] | None = None
        self._shared_lock: AdvisoryLock | None = None
        self._workflows: dict[str, Callable[[str], str]] = {}
        self._changed = threading.Event()  # a workflow of this process waits, halted or ended
        self._closed = threading.Event()
        self._running: set[str] = set()
        self._finished: set[str] = set()
        self._to_resume: set[str] | None = None  # interrupted workflows that DBOS has not resumed; None before launch
        self.halted: WhetError | None = None  # the error that parked all workflows
        self.parked: dict[str, WhetError] = {}  # workflows that were parked alone, for a reason of their own
        self._rows = _rows(folder, address)
        try:
            if address:
                self._shared_lock = AdvisoryLock(address, "engine")
            else:
                _prepare(folder)
                self._file = folder, FILE_NAME, state_folder.check_database(folder, FILE_NAME)
            refuse_foreign_rows(self._rows, address)
            database = _database_settings(folder, address)
            self._instance = DBOS(
                config={
                    "name": "whet",
                    "system_database_url": database["system_database_url"],
                    "dbos_system_schema": database["dbos_system_schema"],
                    "application_version": "1",
                    "executor_id": "local",
                    "log_level": "CRITICAL",
                    "serializer": Json(),
                    "notification_listener_polling_interval_sec": _POLL_SECONDS,
                }
            )
        except BaseException:
            self._release_locks()
            raise

    def workflow(self, name: str, function: Callable[[str], str]) -> None:
        """Register a workflow. Call this before `launch`, which resumes interrupted workflows."""

        def run_workflow(identity: str) -> str:
            self._running.add(identity)
            self._poll_less_when_resumed()
            try:
                with self.parking(), self._foreign_rows_explained():
                    self._refuse_other_workflow(identity)
                    return function(identity)
            finally:
                self._finished.add(identity)
                self._running.discard(identity)
                self._changed.set()

        run_workflow.__qualname__ = run_workflow.__name__ = name
        self._workflows[name] = DBOS.workflow(name=name, max_recovery_attempts=None)(run_workflow)

    def launch(self) -> None:
        """Start DBOS and resume interrupted workflows."""
        set_recovery_interval(self._instance, every_seconds=_POLL_SECONDS)
        try:
            DBOS.launch()
        except Exception as problem:
            raise unusable("the durable engine cannot start", problem, self._address) from problem
        if self._file:
            state_folder.refuse_exchanged(*self._file)
        self._to_resume = set(self.unfinished())
        self._poll_less_when_resumed()

    def _poll_less_when_resumed(self) -> None:
        """Let DBOS look for interrupted workflows rarely once all of them run: each look costs a query."""
        if self._to_resume is None:
            return
        self._to_resume -= self._running | self._finished
        if not self._to_resume:
            set_recovery_interval(self._instance, every_seconds=_IDLE_POLL_SECONDS)

    def start(self, name: str, identity: str) -> None:
        """Start a workflow under this id. Do nothing if the id has been started before."""
        self._finished.discard(identity)
        with self._database_errors_explained(), SetWorkflowID(identity):
            DBOS.start_workflow(self._workflows[name], identity)

    @contextlib.contextmanager
    def parking(self, errors: tuple[type[WhetError], ...] = PARKING) -> Iterator[None]:
        """Suspend the workflow, instead of failing it, on one of these errors.

        The suspended step runs again when a later process resumes the workflow. An error that every workflow would meet,
        such as a record that cannot be used, halts the engine; any other suspends this workflow alone.
        """
        try:
            if self._shared_lock:
                self._shared_lock.refuse_if_lost()
            yield
        except errors as problem:
            identity = DBOS.workflow_id
            if identity is None or isinstance(problem, PARKING):
                self.halted = problem
            else:
                self.parked[identity] = problem
            self._changed.set()
            self._closed.wait()
            raise EngineClosed from problem

    def receive(self, topic: str, timeout_seconds: float) -> bool:
        """Wait for a notification on `topic`, across restarts. Return false after the timeout.

        A notification that whet did not write suspends the workflow, so that the proposal does not fail because of it.
        """
        self._changed.set()
        if self._closed.is_set():
            raise EngineClosed
        with self.parking(), self._foreign_rows_explained():
            return DBOS.recv(topic, timeout_seconds=timeout_seconds) is not None

    def notify(self, identity: str, topic: str) -> None:
        """Wake the workflow that waits for `topic`."""
        with self._database_errors_explained():
            DBOS.send(identity, "answered", topic)

    def has_workflow(self, identity: str) -> bool:
        """True if the database has a workflow with this id; false if its file was moved away since the start."""
        with self._database_errors_explained():
            return DBOS.get_workflow_status(identity) is not None

    def wait(self) -> None:
        """Wait until a workflow of this process waits, halts or ends, or `_OTHER_PROCESSES_SECONDS` have passed.

        Raise StateUnusable if the database has got a row that whet did not write.
        """
        self._changed.wait(_OTHER_PROCESSES_SECONDS)
        self._changed.clear()
        refuse_foreign_rows(self._rows, self._address)

    def ended(self, identity: str) -> bool:
        """True if the workflow has ended. The database is queried only for workflows of other processes."""
        if identity in self._running:
            return False
        if identity in self._finished:
            return True
        with self._database_errors_explained():
            status = DBOS.get_workflow_status(identity)
        if status is not None and status.status == "ERROR":
            refuse_foreign_rows(self._rows, self._address)  # DBOS fails a workflow that it cannot read
        return status is not None and status.status in _ENDED

    def unfinished(self) -> list[str]:
        """Return the ids of workflows that have not ended."""
        with self._database_errors_explained():
            return [workflow.workflow_id for workflow in DBOS.list_workflows(status=["PENDING", "ENQUEUED"])]

    def close(self) -> None:
        """Stop DBOS and release the locks."""
        with contextlib.suppress(StateUnusable):  # the caller has reported the problem or has nothing to lose
            self._wait_for_outcomes()
        self._closed.set()
        end_waits = _prepare_to_end_waits(self._instance)
        DBOS.destroy(destroy_registry=True)
        end_waits()
        self._release_locks()

    @contextlib.contextmanager
    def _database_errors_explained(self) -> Iterator[None]:
        """Turn database errors into StateUnusable.

        The shared lock is checked first, because DBOS retries forever when the server is gone.
        """
        if self._shared_lock:
            self._shared_lock.refuse_if_lost()
        try:
            yield
        except DBAPIError as problem:
            raise unusable("the durable engine cannot be reached", problem, self._address) from problem
        except (ValueError, TypeError, KeyError) as problem:
            raise unusable("the durable engine has a row that cannot be read", problem, self._address) from problem

    def _refuse_other_workflow(self, identity: str) -> None:
        """Refuse a row whose argument is not its own id: two workflows would carry the same proposal."""
        if identity != DBOS.workflow_id:
            raise unusable(
                f"the workflow {DBOS.workflow_id!a} was started with the id of another workflow", address=self._address
            )

    @contextlib.contextmanager
    def _foreign_rows_explained(self) -> Iterator[None]:
        """Name the row, if a workflow fails because DBOS met a row that whet did not write."""
        try:
            yield
        except WhetError:
            refuse_foreign_rows(self._rows, self._address)
            raise
        except Exception as problem:
            refuse_foreign_rows(self._rows, self._address)
            raise unusable("a workflow met a row that it cannot read", problem, self._address) from problem

    def _release_locks(self) -> None:
        self._rows.close()
        if self._shared_lock:
            self._shared_lock.close()
        self._lock.close()

    def _wait_for_outcomes(self) -> None:
        """Wait until DBOS has stored that our workflows ended. It does so after their last line, and a process that
        stops before would run them again."""
        deadline = time.monotonic() + _OUTCOME_SECONDS
        while self._finished and self._finished.intersection(self.unfinished()) and time.monotonic() < deadline:
            time.sleep(_POLL_SECONDS / 10)


def set_recovery_interval(instance: DBOS, every_seconds: float) -> bool:
    """Set the poll interval of the queue through which DBOS resumes workflows; false if this DBOS does not have it.

    The interval is one second by default, and DBOS has no public setting for it.
    """
    try:
        instance._registry.get_internal_queue()._polling_interval_sec = every_seconds
    except AttributeError:
        return False  # another version of DBOS: the start takes a second longer
    return True


def _prepare_to_end_waits(instance: DBOS) -> Callable[[], None]:
    """Return a function that raises EngineClosed in every thread that waits in `DBOS.recv`. Call it after `destroy`.

    DBOS has no way to end such a wait without recording it as timed out. From now on no notification is consumed: it stays
    for the process that resumes the workflow.
    """
    try:
        system = instance._sys_db
        waits = system.notifications_map
    except (AttributeError, AssertionError, error.DBOSException):
        return lambda: None  # never launched, or another version of DBOS: the threads wait on, as they did before

    def refuse(*_: object, **__: object) -> NoReturn:
        raise EngineClosed

    system.recv_consume = refuse  # type: ignore[method-assign]  # see the docstring

    def end_waits() -> None:
        for _, _, signal in waits.snapshot():
            signal.set()

    return end_waits


def wake(folder: Path, identity: str, topic: str, address: Address | None = None) -> None:
    """Notify a waiting workflow from any process.

    A workflow that no process runs gets the notification when it is resumed. An unknown workflow is ignored: when it is
    started again it looks for its answer in the ledger. Nothing is written beside rows or triggers that whet did not write.
    """
    message = "the answer is recorded, but the durable engine cannot be reached"
    with contextlib.closing(_rows(folder, address)) as rows:
        refuse_foreign_rows(rows, address, message)
    client = DBOSClient(
        **_database_settings(folder, address), serializer=Json(), lazy=True, retry_connection_errors=False
    )
    try:
        client.send(identity, "answered", topic)
    except error.DBOSNonExistentWorkflowError:
        return
    except Exception as problem:
        raise unusable(message, problem, address) from problem
    finally:
        client.destroy()


def unusable(message: str, problem: Exception | None = None, address: Address | None = None) -> StateUnusable:
    """Return the error for a durable engine that cannot be used, with the cause and the remedy."""
    cause = ""
    if problem is not None:
        cause = address.describe_error(problem) if address else str(problem).splitlines()[0]
    damaged = (
        f"the schema {address.durable_schema} is damaged, drop it" if address else f"{_FILE} is damaged, move it away"
    )
    return StateUnusable(
        f"{message}: {cause}" if cause else message,
        f"if {damaged} and run `whet resume`: open proposals continue from the ledger",
    )


def refuse_foreign_rows(
    rows: Rows, address: Address | None, unreadable: str = "the durable engine cannot be read"
) -> None:
    """Raise StateUnusable if the durable engine's tables have a row that whet did not write."""
    try:
        foreign = rows.foreign()
    except DBAPIError as problem:
        raise unusable(unreadable, problem, address) from problem
    if foreign:
        where = address.durable_schema if address else _FILE
        moved = f"drop the schema {where}" if address else f"move {where} away"
        raise StateUnusable(
            f"{where} has a row that was not written by this whet ({foreign})",
            f"find out who wrote it, then {moved} and run `whet resume`: open proposals continue from the ledger",
        )


def _rows(folder: Path, address: Address | None) -> Rows:
    if address:
        return Rows(address.engine(), address.durable_schema)
    file = partial(state_folder.connect, folder, FILE_NAME, check_same_thread=False)
    return Rows(create_engine(f"sqlite:///{folder / FILE_NAME}", creator=file))


def _prepare(folder: Path) -> None:
    """Switch the file to write-ahead logging: one flush per commit instead of several."""
    try:
        with contextlib.closing(state_folder.connect(folder, FILE_NAME)) as connection:
            connection.execute("PRAGMA journal_mode=WAL")
    except sqlite3.Error as problem:
        raise unusable("the durable engine cannot start", problem) from problem


def _database_settings(folder: Path, address: Address | None) -> DatabaseSettings:
    if address:
        return {"system_database_url": address.with_password, "dbos_system_schema": address.durable_schema}
    state_folder.check_database(folder, FILE_NAME)
    return {"system_database_url": f"sqlite:///{folder / FILE_NAME}", "dbos_system_schema": "dbos"}


def _take_lock(folder: Path) -> IO[str]:
    try:
        lock = os.fdopen(state_folder.open_file(folder, LOCK_NAME, os.O_RDWR | os.O_CREAT | os.O_APPEND), "a+")
    except OSError as problem:
        raise StateUnusable(f"{folder / LOCK_NAME} cannot be opened: {problem.strerror}") from problem
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        lock.seek(0)
        holder = lock.read().strip() or "unknown"
        lock.close()
        raise AlreadyRunning(
            f"another whet (process {holder}) is at work on this repository", "wait for it or end it, then try again"
        ) from None
    lock.truncate(0)
    lock.write(str(os.getpid()))
    lock.flush()
    return lock
