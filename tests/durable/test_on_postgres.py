"""The durable engine over PostgreSQL: one at a time across machines, and no row that could run code is read."""

import base64
import os
import pickle
import platform
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import text

from whet.durable.engine import Engine, wake
from whet.errors import AlreadyRunning, StateUnusable
from whet.store.address import Address, parse
from whet.store.advisory_lock import AdvisoryLock


@pytest.fixture
def address(postgres: str) -> Iterator[Address]:
    address = Address(parse(postgres), "whet_engine_test")
    yield address
    run(address, f"DROP SCHEMA IF EXISTS {address.durable_schema} CASCADE")


def run(address: Address, statement: str) -> None:
    engine = address.engine()
    with engine.begin() as connection:
        connection.execute(text(statement))
    engine.dispose()


def started(folder: Path, address: Address, runs: list[str]) -> Engine:
    def once(identity: str) -> str:
        with engine.parking():
            runs.append(identity)
            return identity

    folder.mkdir(exist_ok=True)
    engine = Engine(folder, address)
    engine.workflow("once", lambda identity: engine.run_step({"name": "step"}, lambda: once(identity)))
    engine.launch()
    return engine


def test_a_second_engine_is_refused_and_told_the_holder(tmp_path: Path, address: Address) -> None:
    """The two engines share no file, as on two machines."""
    first = started(tmp_path / "one", address, [])
    try:
        with pytest.raises(AlreadyRunning, match=f"process {os.getpid()} on {platform.node()}"):
            started(tmp_path / "two", address, [])
        lock_of_another_schema = AdvisoryLock(Address(address.url, "whet_another"), "engine")
        lock_of_another_schema.close()
    finally:
        first.close()
    started(tmp_path / "two", address, []).close()


def test_an_engine_that_lost_its_lock_starts_nothing(tmp_path: Path, address: Address) -> None:
    runs = list[str]()
    engine = started(tmp_path, address, runs)
    try:
        run(
            address,
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name LIKE 'process %' "
            "AND pid <> pg_backend_pid()",
        )
        with pytest.raises(StateUnusable, match="the lock on the record is lost"):
            engine.start("once", "w-1")
    finally:
        engine.close()
    again = started(tmp_path, address, runs)
    again.start("once", "w-1")
    while not again.ended("w-1"):
        again.wait()
    again.close()
    assert runs == ["w-1"]


def test_rows_of_another_program_are_refused(tmp_path: Path, address: Address) -> None:
    started(tmp_path, address, []).close()
    pickled = base64.b64encode(pickle.dumps(print)).decode()
    run(
        address,
        f"INSERT INTO {address.durable_schema}.workflow_status (workflow_uuid, status, inputs, serialization) "
        f"VALUES ('w-9', 'PENDING', '{pickled}', 'py_pickle')",
    )
    with pytest.raises(StateUnusable, match=r"was not written by this whet \(table workflow_status, row 'w-9'"):
        started(tmp_path, address, [])


def test_an_unreachable_engine_is_reported_without_the_password(tmp_path: Path) -> None:
    gone = Address(parse("postgresql://ann:s3cr3t@127.0.0.1:1/db"), "whet_gone")
    with pytest.raises(StateUnusable, match="the answer is recorded, but") as problem:
        wake(tmp_path, "p-1", "topic", gone)
    assert "s3cr3t" not in problem.value.message + problem.value.remedy
