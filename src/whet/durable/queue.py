"""Batches of candidates over a DBOS queue: a searcher puts them there, workers answer. Only JSON text goes either way.

Its tables are in a schema of their own, so that no worker can ever take up a cycle or a proposal.
"""

import re
import time
import uuid
from collections.abc import Callable
from threading import Event

from dbos import DBOS, DBOSClient
from sqlalchemy.exc import DBAPIError

from whet.durable.engine import refuse_foreign_rows, unusable
from whet.durable.serializer import Json
from whet.store.address import Address
from whet.store.advisory_lock import WORKER, AdvisoryLock, holders

_QUEUE, _WORKFLOW, _APPLICATION = "trials", "try", "whet"
_LOOK_SECONDS = 0.05
_WIDTH = re.compile(r"width (\d{1,4}), ")


class Workers:
    """The workers of one repository, seen by a searcher. Whatever goes wrong with them is no answer, never an error."""

    def __init__(self, address: Address) -> None:
        self._address, self._engine = address, address.engine()
        self._client: DBOSClient | None = None

    def widths(self) -> list[int]:
        """For each worker that is alive, how many candidates it tries at a time."""
        try:
            found = [_WIDTH.match(name) for name in holders(self._engine, self._address.lock_number(WORKER))]
        except DBAPIError:
            return []
        return [int(match[1]) for match in found if match]

    def put(self, batch: str) -> str:
        """The batch's name; an empty one where it could not be put there."""
        try:
            options = {"queue_name": _QUEUE, "workflow_name": _WORKFLOW}
            return self._connected().enqueue(options, batch).workflow_id  # type: ignore[arg-type]
        except Exception:  # noqa: BLE001 - a queue that fails is a queue without workers
            return ""

    def answer(self, name: str, patience_seconds: float) -> str | None:
        """What a worker said; None where none has begun it, or none has answered in time. It is asked for once."""
        until = time.monotonic() + patience_seconds
        try:
            while True:
                found = self._connected().list_workflows(workflow_ids=[name])
                status = found[0].status if found else "CANCELLED"
                if status == "SUCCESS":
                    return str(found[0].output)
                if status != "PENDING" or time.monotonic() >= until or not self.widths():
                    return None
                time.sleep(_LOOK_SECONDS / 2)
        except Exception:  # noqa: BLE001 - as above
            return None

    def forget(self, names: list[str]) -> None:
        """What is not begun stays undone, and nothing of what was asked is kept."""
        try:
            self._connected().cancel_workflows(names)
            self._connected().delete_workflows(names)
        except Exception:  # noqa: BLE001 - rows that stay harm nobody
            return

    def close(self) -> None:
        if self._client:
            self._client.destroy()
        self._engine.dispose()

    def _connected(self) -> DBOSClient:
        self._client = self._client or DBOSClient(
            system_database_url=self._address.with_password,
            dbos_system_schema=self._address.durable_schema,
            application_name=_APPLICATION,
            serializer=Json(),
            lazy=True,
            retry_connection_errors=False,
        )
        return self._client


def serve(address: Address, width: int, answer: Callable[[str], str], over: Event) -> None:
    """Take batches one at a time and answer them, until it is over. Searchers see this process while it is alive."""
    refuse_foreign_rows(address)
    DBOS(
        config={
            "name": _APPLICATION,
            "system_database_url": address.with_password,
            "dbos_system_schema": address.durable_schema,
            "application_version": "1",
            "executor_id": f"worker-{uuid.uuid4().hex}",  # what a dead worker had begun is the searcher's to do
            "log_level": "CRITICAL",
            "serializer": Json(),
        }
    )

    def answered(batch: str) -> str:
        return answer(batch)

    DBOS.workflow(name=_WORKFLOW)(answered)
    try:
        DBOS.launch()
        DBOS.register_queue(
            _QUEUE, worker_concurrency=1, polling_interval_sec=_LOOK_SECONDS, on_conflict="always_update"
        )
    except Exception as problem:
        raise unusable("the queue cannot be used", problem, address) from problem
    present = AdvisoryLock(address, WORKER, name=f"width {width}, {me()}", shared=True)
    try:
        while not over.wait(1.0):
            present.refuse_if_lost()
    finally:
        present.close()
        DBOS.destroy(destroy_registry=True)
