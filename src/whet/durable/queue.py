"""A DBOS queue for batches of repair candidates: a searcher enqueues them and workers answer. Both send JSON text only.

The queue has a schema of its own, so that a worker can never take up a cycle or a proposal.
"""

import re
import time
import uuid
from collections.abc import Callable
from threading import Event

from dbos import DBOS, DBOSClient
from sqlalchemy.exc import DBAPIError

from whet.durable.engine import refuse_foreign_rows, unusable
from whet.durable.rows import Rows
from whet.durable.serializer import Json
from whet.store.address import Address
from whet.store.advisory_lock import WORKER, AdvisoryLock, holders, process_name

_QUEUE, _WORKFLOW, _APPLICATION = "trials", "try", "whet"
_POLL_SECONDS = 0.05
_WIDTH = re.compile(r"width (\d{1,4}), ")


class Workers:
    """The workers of one repository, as a searcher sees them. A failure of the queue is the same as no answer; it is
    never an error, because the searcher can do the work itself."""

    def __init__(self, address: Address) -> None:
        self._address, self._engine = address, address.engine()
        self._client: DBOSClient | None = None

    def widths(self) -> list[int]:
        """Return, for each live worker, the number of candidates that it tries at a time."""
        try:
            matches = [_WIDTH.match(name) for name in holders(self._engine, self._address.lock_number(WORKER))]
        except DBAPIError:
            return []
        return [int(match[1]) for match in matches if match]

    def put(self, batch: str) -> str:
        """Enqueue a batch and return its name; empty if that failed."""
        try:
            options = {"queue_name": _QUEUE, "workflow_name": _WORKFLOW}
            return self._connected().enqueue(options, batch).workflow_id  # type: ignore[arg-type]
        except Exception:  # noqa: BLE001 - a queue that fails is a queue without workers
            return ""

    def answer(self, name: str, patience_seconds: float) -> str | None:
        """Return a worker's answer to a batch; None if no worker has begun it or none answers in time."""
        deadline = time.monotonic() + patience_seconds
        try:
            while True:
                workflows = self._connected().list_workflows(workflow_ids=[name])
                status = workflows[0].status if workflows else "CANCELLED"
                if status == "SUCCESS":
                    return _text(self._connected().retrieve_workflow(name).get_result())
                if status != "PENDING" or time.monotonic() >= deadline or not self.widths():
                    return None
                time.sleep(_POLL_SECONDS / 2)
        except Exception:  # noqa: BLE001 - as above
            return None

    def forget(self, names: list[str]) -> None:
        """Cancel the batches that no worker has begun, and delete all of them."""
        try:
            self._connected().cancel_workflows(names)
            self._connected().delete_workflows(names)
        except Exception:  # noqa: BLE001 - leftover rows do no harm
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


def _text(answer: object) -> str:
    if not isinstance(answer, str):
        raise TypeError("the answer of a worker is a string")
    return answer


def serve(address: Address, width: int, answer: Callable[[str], str], over: Event) -> None:
    """Answer batches, one at a time, until `over` is set. Searchers see this worker by its lock while it is alive."""
    rows = Rows(address.engine(), address.durable_schema, one_argument_each=False)
    refuse_foreign_rows(rows, address)
    DBOS(
        config={
            "name": _APPLICATION,
            "system_database_url": address.with_password,
            "dbos_system_schema": address.durable_schema,
            "application_version": "1",
            "executor_id": f"worker-{uuid.uuid4().hex}",  # a new id: a batch that a dead worker had begun is left to the searcher
            "log_level": "CRITICAL",
            "serializer": Json(),
        }
    )

    def answer_batch(batch: str) -> str:
        return answer(batch)

    DBOS.workflow(name=_WORKFLOW)(answer_batch)
    try:
        DBOS.launch()
        DBOS.register_queue(
            _QUEUE, worker_concurrency=1, polling_interval_sec=_POLL_SECONDS, on_conflict="always_update"
        )
    except Exception as problem:
        raise unusable("the queue cannot be used", problem, address) from problem
    lock = AdvisoryLock(address, WORKER, name=f"width {width}, {process_name()}", shared=True)
    try:
        while not over.wait(1.0):
            lock.refuse_if_lost()
            refuse_foreign_rows(rows, address)
    finally:
        rows.close()
        lock.close()
        DBOS.destroy(destroy_registry=True)
