"""Rows that somebody else wrote into the durable engine's tables run no code, in a file and in PostgreSQL."""

import base64
import contextlib
import pickle
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from dbos import DBOSClient
from sqlalchemy import Engine as Database
from sqlalchemy import create_engine, text

from tests.cli.refusals import refuses
from tests.support import Repo
from whet.durable.engine import Engine
from whet.durable.queue import Workers, serve
from whet.durable.serializer import Json
from whet.errors import StateUnusable
from whet.store.address import Address, parse

_sprung: list[str] = []


def spring(name: str) -> str:
    """Note that a pickle was loaded."""
    _sprung.append(name)
    return name


class _Trap:
    def __reduce__(self) -> tuple[Callable[[str], str], tuple[str]]:
        return spring, ("loaded",)


_PICKLE = base64.b64encode(pickle.dumps(_Trap())).decode()
_ENQUEUED = {
    "workflow_uuid": "w-9",
    "status": "ENQUEUED",
    "name": "once",
    "queue_name": "_dbos_internal_queue",
    "application_version": "1",
    "application_name": "whet",
    "executor_id": "local",
    "priority": 0,
    "serialization": "py_pickle",
    "inputs": _PICKLE,
}


@dataclass(frozen=True)
class Backend:
    """A durable engine's tables, in a file or in a schema."""

    folder: Path
    address: Address | None
    database: Database

    def table(self, name: str) -> str:
        return f'"{self.address.durable_schema}".{name}' if self.address else name

    def plant(self, table: str, **values: Any) -> None:
        names = ", ".join(f'"{name}"' for name in values)
        slots = ", ".join(f":{name}" for name in values)
        with self.database.begin() as connection:
            connection.execute(text(f"INSERT INTO {self.table(table)} ({names}) VALUES ({slots})"), values)

    def value(self, query: str) -> Any:
        with self.database.connect() as connection:
            return connection.execute(text(query)).scalar()

    def clear(self) -> None:
        tables = (
            "workflow_status",
            "workflow_input",
            "workflow_output",
            "operation_outputs",
            "notifications",
            "streams",
        )
        with self.database.begin() as connection:
            for table in (*tables, "workflow_events", "workflow_events_history", "workflow_schedules"):
                connection.execute(text(f"DELETE FROM {self.table(table)}"))

    def engine(self) -> Engine:
        engine = Engine(self.folder, self.address)
        engine.workflow("once", lambda identity: identity)
        engine.launch()
        return engine

    def client(self) -> DBOSClient:
        url = self.address.with_password if self.address else f"sqlite:///{self.folder / 'durable.sqlite'}"
        schema = self.address.durable_schema if self.address else "dbos"
        return DBOSClient(
            system_database_url=url, dbos_system_schema=schema, serializer=Json(), lazy=True, application_name="whet"
        )


@pytest.fixture(scope="module", params=["file", "postgresql"])
def tables(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Backend]:
    folder = tmp_path_factory.mktemp("state")
    address = None
    if request.param == "postgresql":
        address = Address(parse(request.getfixturevalue("postgres")), "whet_planted")
    database = address.engine() if address else create_engine(f"sqlite:///{folder / 'durable.sqlite'}")
    backend = Backend(folder, address, database)
    backend.engine().close()
    yield backend
    if address:
        with database.begin() as connection:
            connection.execute(text(f"DROP SCHEMA {address.durable_schema} CASCADE"))
    database.dispose()


@pytest.fixture
def backend(tables: Backend) -> Iterator[Backend]:
    _sprung.clear()
    yield tables
    tables.clear()


_OWNER = {**_ENQUEUED, "status": "SUCCESS", "serialization": "whet_json", "inputs": "null"}
_STORED: dict[str, tuple[list[tuple[str, dict[str, Any]]], Callable[[DBOSClient], Any]]] = {
    "inputs": ([("workflow_status", _ENQUEUED)], lambda client: client.list_workflows()),
    "inputs in their own table": (
        [
            ("workflow_status", {**_ENQUEUED, "inputs": None}),
            ("workflow_input", {"workflow_uuid": "w-9", "inputs": _PICKLE, "retention_timestamp": 1}),
        ],
        lambda client: client.list_queued_workflows(),
    ),
    "output": (
        [("workflow_status", {**_ENQUEUED, "status": "SUCCESS", "output": _PICKLE})],
        lambda client: client.list_workflows(),
    ),
    "awaited output": (
        [("workflow_status", {**_ENQUEUED, "status": "SUCCESS", "output": _PICKLE})],
        lambda client: client.retrieve_workflow("w-9").get_result(),
    ),
    "output in its own table": (
        [
            ("workflow_status", {**_ENQUEUED, "status": "SUCCESS"}),
            ("workflow_output", {"workflow_uuid": "w-9", "output": _PICKLE, "retention_timestamp": 1}),
        ],
        lambda client: client.retrieve_workflow("w-9").get_result(),
    ),
    "error": (
        [("workflow_status", {**_ENQUEUED, "status": "ERROR", "error": _PICKLE})],
        lambda client: client.retrieve_workflow("w-9").get_result(),
    ),
    "step output": (
        [
            ("workflow_status", _OWNER),
            (
                "operation_outputs",
                {
                    "workflow_uuid": "w-9",
                    "function_id": 1,
                    "function_name": "step",
                    "output": _PICKLE,
                    "error": _PICKLE,
                    "serialization": "py_pickle",
                    "retention_timestamp": 1,
                },
            ),
        ],
        lambda client: client.list_workflow_steps("w-9"),
    ),
    "event": (
        [
            ("workflow_status", _OWNER),
            (
                "workflow_events",
                {"workflow_uuid": "w-9", "key": "k", "value": _PICKLE, "serialization": "py_pickle"},
            ),
        ],
        lambda client: client.get_event("w-9", "k", timeout_seconds=0.01),
    ),
    "stream": (
        [
            ("workflow_status", _OWNER),
            (
                "streams",
                {
                    "workflow_uuid": "w-9",
                    "key": "k",
                    "value": _PICKLE,
                    "offset": 0,
                    "function_id": 1,
                    "serialization": "py_pickle",
                },
            ),
        ],
        lambda client: next(client.read_stream("w-9", "k")),
    ),
    "schedule": (
        [
            (
                "workflow_schedules",
                {
                    "schedule_id": "s",
                    "schedule_name": "s",
                    "workflow_name": "once",
                    "schedule": "* * * * * *",
                    "context": _PICKLE,
                },
            )
        ],
        lambda client: (client.list_schedules(), client.trigger_schedule("s")),
    ),
}


@pytest.mark.parametrize("stored", _STORED)
def test_a_pickle_is_never_loaded(backend: Backend, stored: str) -> None:
    rows, read = _STORED[stored]
    for table, values in rows:
        backend.plant(table, **values)
    client = backend.client()
    with contextlib.suppress(StateUnusable):
        read(client)
    client.destroy()
    assert _sprung == []


@pytest.mark.parametrize("stored", _STORED)
def test_a_row_planted_before_the_start_is_refused_and_named(backend: Backend, stored: str) -> None:
    rows, _ = _STORED[stored]
    for table, values in rows:
        backend.plant(table, **values)
    with pytest.raises(StateUnusable, match=r"not written by this whet \(table \w+, row '(w-9|s)'") as refusal:
        backend.engine()
    assert "run `whet resume`: open proposals continue from the ledger" in refusal.value.remedy
    assert _sprung == []


def test_a_row_planted_while_whet_runs_is_refused_named_and_kept(backend: Backend) -> None:
    engine = backend.engine()
    try:
        backend.plant("workflow_status", **_ENQUEUED)
        with pytest.raises(StateUnusable, match="table workflow_status, row 'w-9'"):
            _wait_until_tried(backend, engine)
    finally:
        engine.close()
    assert _sprung == []
    kept = backend.value(f"SELECT inputs FROM {backend.table('workflow_status')} WHERE workflow_uuid = 'w-9'")
    assert kept == _PICKLE


def _wait_until_tried(backend: Backend, engine: Engine) -> None:
    """Wait until DBOS has taken the row up, then ask the engine to wait."""
    query = f"SELECT status FROM {backend.table('workflow_status')} WHERE workflow_uuid = 'w-9'"
    for _ in range(400):
        if backend.value(query) != "ENQUEUED":
            break
        time.sleep(0.01)
    else:
        pytest.fail("DBOS did not take up the planted row")
    for _ in range(20):
        engine.wait()


@pytest.mark.parametrize(
    "odd", ["5", "[]", '{"args": []}', "{", '{"args": ["w-1"], "kwargs": {}}', "[" * 100_000, None]
)
def test_a_workflow_with_odd_input_is_refused_and_named(backend: Backend, odd: str | None) -> None:
    backend.plant("workflow_status", **{**_ENQUEUED, "serialization": "whet_json", "inputs": odd})
    with pytest.raises(StateUnusable, match="row 'w-9': its input is not whet's"):
        backend.engine()


@pytest.mark.parametrize("name", ["", "PY_PICKLE", "py_pickle ", "portable_json", "java_jackson", "whet_json\n"])
def test_a_message_in_another_format_is_refused(backend: Backend, name: str) -> None:
    backend.plant("workflow_status", **_OWNER)
    values = {"message_uuid": "m-1", "destination_uuid": "w-9", "message": '"answered"', "serialization": name}
    backend.plant("notifications", **values, created_at_epoch_ms=1)
    with pytest.raises(StateUnusable, match="table notifications, row 'm-1': its format is not whet's JSON"):
        backend.engine()


def test_the_rows_of_whet_are_not_refused(backend: Backend) -> None:
    for _ in range(2):
        engine = backend.engine()
        engine.start("once", "w-1")
        engine.notify("w-1", "topic")
        while not engine.ended("w-1"):
            engine.wait()
        engine.close()


@pytest.mark.parametrize(
    "answer", [(_PICKLE, "py_pickle"), ("5", "whet_json"), ('"{}"', "java"), ("{", "portable_json")]
)
def test_a_planted_answer_of_a_worker_is_no_answer(postgres: str, tmp_path: Path, answer: tuple[str, str]) -> None:
    address = Address(parse(postgres), "whet_answers")
    backend = Backend(tmp_path, address, address.engine())
    backend.engine().close()
    workers = Workers(address)
    name = workers.put("{}")
    assert name
    statement = (
        f"UPDATE {backend.table('workflow_status')} SET status = 'SUCCESS', output = :output, serialization = :name"
    )
    with backend.database.begin() as connection:
        connection.execute(text(statement), {"output": answer[0], "name": answer[1]})
    assert workers.answer(name, 0.1) is None
    assert _sprung == []
    workers.close()
    with backend.database.begin() as connection:
        connection.execute(text(f"DROP SCHEMA {address.durable_schema} CASCADE"))
    backend.database.dispose()


def test_a_worker_stops_at_a_planted_row_and_names_it(postgres: str, tmp_path: Path) -> None:
    address = Address(parse(postgres), "whet_worker_rows")
    backend = Backend(tmp_path, address, address.engine())
    backend.engine().close()
    _sprung.clear()
    answers = list[str]()

    def answer(batch: str) -> str:
        answers.append(batch)
        return batch

    with pytest.raises(StateUnusable, match="table workflow_status, row 'w-9'"):
        serve(address, 1, answer, PlantsWhenAsked(backend))
    assert (_sprung, answers) == ([], [])
    with backend.database.begin() as connection:
        connection.execute(text(f"DROP SCHEMA {address.durable_schema} CASCADE"))
    backend.database.dispose()


class PlantsWhenAsked(threading.Event):
    """An event that is never set. The first wait plants a row on the worker's queue and lets DBOS take it up."""

    def __init__(self, backend: Backend) -> None:
        super().__init__()
        self._backend = backend

    def wait(self, timeout: float | None = None) -> bool:
        self._backend.plant("workflow_status", **{**_ENQUEUED, "name": "try", "queue_name": "trials"})
        return super().wait(timeout)


def test_triggers_and_pickles_in_the_state_folder_are_refused_and_nothing_is_lost(sample: Repo, tmp_path: Path) -> None:
    (waiting,) = sample.whet("run", "--json").json
    proposal, marker = waiting["proposal"], tmp_path / "marker"
    record, durable = sample.root / ".whet" / "whet.sqlite", sample.root / ".whet" / "durable.sqlite"
    execute(record, "CREATE TRIGGER rewrites AFTER INSERT ON ledger BEGIN DELETE FROM reservations; END")
    before = record_of(record)
    for command in (("approve", proposal, "--yes"), ("audit",), ("show", proposal)):
        refuses(sample.whet(*command), 4, "the trigger 'rewrites', which was not put there by whet")
    assert record_of(record) == before
    execute(record, "DROP TRIGGER rewrites")
    poison = base64.b64encode(f"cposix\nsystem\n(S'touch {marker}'\ntR.".encode()).decode()
    planted = f"UPDATE notifications SET message = '{poison}', serialization = 'py_pickle'"
    execute(durable, f"CREATE TRIGGER poisons AFTER INSERT ON notifications BEGIN {planted}; END")
    refuses(sample.whet("approve", proposal, "--yes"), 4, "durable.sqlite has the trigger 'poisons'")
    execute(durable, "DROP TRIGGER poisons")
    with contextlib.closing(sqlite3.connect(durable)) as connection:
        assert connection.execute("SELECT count(*) FROM notifications").fetchone() == (0,)
    execute(
        durable, f"INSERT INTO notifications (message_uuid, destination_uuid, message) VALUES ('n', '{proposal}', '')"
    )
    execute(durable, planted)
    refused = sample.whet("resume")
    refuses(refused, 4, "table notifications, row 'n'")
    assert "move .whet/durable.sqlite away and run `whet resume`" in refused.err
    for name in ("durable.sqlite", "durable.sqlite-wal", "durable.sqlite-shm"):
        (sample.root / ".whet" / name).unlink(missing_ok=True)
    assert sample.whet("resume").code == 0
    assert sample.whet("show", proposal, "--json").json["lesson"]["ending"] == "merged"
    assert not marker.exists()


def execute(file: Path, statement: str) -> None:
    with contextlib.closing(sqlite3.connect(file, isolation_level=None)) as connection:
        connection.execute(statement)


def record_of(file: Path) -> list[Any]:
    with contextlib.closing(sqlite3.connect(file)) as connection:
        return connection.execute("SELECT seq, hash FROM ledger").fetchall()
