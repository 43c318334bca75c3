"""Workflows that survive `kill -9`: DBOS over a SQLite file in the state folder.

A step gives back a string (a ledger key); the nouns themselves live in the ledger, once. A workflow that waits at a
gate is a parked thread: the process may end under it, and the next one takes it up where it was.
"""

import fcntl
import os
import threading
from collections.abc import Callable
from pathlib import Path
from typing import IO

from dbos import DBOS, DBOSClient, SetWorkflowID

from whet.errors import AlreadyRunning, StateUnusable, Stopped, WhetError

FILE_NAME = "durable.sqlite"
LOCK_NAME = "engine.lock"
_ENDED = ("SUCCESS", "ERROR", "CANCELLED")


class Engine:
    """One per state folder at a time: a second process is told who holds it."""

    def __init__(self, folder: Path) -> None:
        self._lock = _take_lock(folder / LOCK_NAME)
        self._workflows: dict[str, Callable[[str], str]] = {}
        self.halted: WhetError | None = None
        try:
            DBOS(
                config={
                    "name": "whet",
                    "system_database_url": _url(folder),
                    "application_version": "1",
                    "executor_id": "local",
                    "log_level": "CRITICAL",
                    "notification_listener_polling_interval_sec": 0.05,
                }
            )
        except BaseException:
            self._lock.close()
            raise

    def workflow(self, name: str, function: Callable[[str], str]) -> None:
        """Workflows are registered before the launch, which takes up those that were cut off."""

        def run(identity: str) -> str:
            return function(identity)

        run.__qualname__ = run.__name__ = name
        self._workflows[name] = DBOS.workflow(name=name, max_recovery_attempts=None)(run)

    def launch(self) -> None:
        try:
            DBOS.launch()
        except Exception as problem:
            raise StateUnusable(
                f"the durable engine cannot start: {str(problem).splitlines()[0]}",
                "if .whet/durable.sqlite is damaged, move it away: open proposals start anew, nothing deployed is lost",
            ) from problem

    def start(self, name: str, identity: str) -> None:
        """Start a workflow under this id; one that is known already is left as it is."""
        with SetWorkflowID(identity):
            DBOS.start_workflow(self._workflows[name], identity)

    def step(self, name: str, function: Callable[[], str]) -> str:
        """Run once and remember. The kill switch and an unwritable ledger do not fail the workflow:
        they park it, so that it goes on when the cause is gone."""

        def run() -> str:
            try:
                return function()
            except (Stopped, StateUnusable) as problem:
                self.halted = problem
                threading.Event().wait()
                raise

        return DBOS.run_step({"name": name}, run)

    def receive(self, topic: str, timeout_seconds: float) -> bool:
        """Wait for a knock on this topic, over restarts; false when the time is over."""
        return DBOS.recv(topic, timeout_seconds=timeout_seconds) is not None

    def ended(self, identity: str) -> bool:
        status = DBOS.get_workflow_status(identity)
        return status is not None and status.status in _ENDED

    def unfinished(self) -> list[str]:
        return [found.workflow_id for found in DBOS.list_workflows(status=["PENDING", "ENQUEUED"])]

    def close(self) -> None:
        DBOS.destroy(destroy_registry=True)
        self._lock.close()


def wake(folder: Path, identity: str, topic: str) -> None:
    """Knock at a gate from any process; a workflow that nobody runs finds the knock when it is taken up."""
    client = DBOSClient(system_database_url=_url(folder))
    try:
        client.send(identity, "answered", topic)
    finally:
        client.destroy()


def _url(folder: Path) -> str:
    return f"sqlite:///{folder / FILE_NAME}"


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
