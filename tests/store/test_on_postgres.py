"""The store on PostgreSQL: reservations of many processes are permitted one after the other, and dead ones are refunded."""

import contextlib
import signal
import subprocess
import sys
from collections.abc import Iterator

import pytest
from sqlalchemy import create_engine, text

from whet.domain.reservation import Reservation, ReservationRequest, Resource
from whet.errors import StateUnusable
from whet.store.reservations import Reservations
from whet.store.store import Store

ROOM, RIVALS = 3, 6
TAKE = """
import sys, time
from sqlalchemy import create_engine
from whet.domain.reservation import ReservationRequest, Resource
from whet.errors import Refused
from whet.store.reservations import Reservations
from whet.store.store import Store
book = Reservations(Store(create_engine(sys.argv[1])))
def permit(rows):
    time.sleep(0.05)  # without the write lock, every other process would read the table in this time
    if sum(row.reserved + row.spent for row in rows) >= int(sys.argv[2]): raise Refused("spent")
print("ready", flush=True)
sys.stdin.readline()
try:
    book.reserve(ReservationRequest(resource=Resource.WALL, amount=1, subject="c"), permit)
except Refused:
    print("refused", flush=True)
else:
    print("taken", flush=True)
sys.stdin.readline()
"""


@pytest.fixture
def address(postgres: str) -> Iterator[str]:
    engine = create_engine(postgres)
    with engine.begin() as connection:
        connection.execute(text("DROP SCHEMA public CASCADE"))
        connection.execute(text("CREATE SCHEMA public"))
    engine.dispose()
    yield postgres


@pytest.fixture
def store(address: str) -> Iterator[Store]:
    made = Store(create_engine(address))
    yield made
    made.close()


@contextlib.contextmanager
def rivals(address: str, count: int) -> Iterator[list["subprocess.Popen[str]"]]:
    started = [
        subprocess.Popen(
            [sys.executable, "-c", TAKE, address, str(ROOM)],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
        )
        for _ in range(count)
    ]  # fmt: skip
    try:
        for process in started:
            assert process.stdout is not None
            assert process.stdout.readline() == "ready\n"
        yield started
    finally:
        for process in started:
            process.kill()
            process.communicate()


def answer_of(process: "subprocess.Popen[str]") -> str:
    assert process.stdout is not None
    return process.stdout.readline().strip()


def go(process: "subprocess.Popen[str]") -> None:
    assert process.stdin is not None
    process.stdin.write("\n")
    process.stdin.flush()


def anything(_: object) -> None:
    """A rule that grants everything."""


@pytest.mark.slow
def test_processes_share_the_available_reservations_and_a_killed_one_is_refunded(address: str, store: Store) -> None:
    with rivals(address, RIVALS) as started:
        for process in started:
            go(process)
        answers = [answer_of(process) for process in started]
        assert sorted(answers) == ["refused"] * (RIVALS - ROOM) + ["taken"] * ROOM
        assert len(Reservations(store).counted()) == ROOM
        victim = next(process for process, answer in zip(started, answers, strict=True) if answer == "taken")
        victim.send_signal(signal.SIGKILL)
        victim.wait()
        assert len(Reservations(store).counted()) == ROOM - 1


def test_a_settled_amount_counts_after_a_restart(address: str, store: Store) -> None:
    reservations = Reservations(store)
    made = reservations.reserve(ReservationRequest(resource=Resource.TOKENS, amount=5, subject="c"), anything)
    reservations.settle(made, 7)
    again = Store(create_engine(address))
    assert [row.spent for row in Reservations(again).counted()] == [7]
    again.close()


def test_an_invalid_row_stops_all_spending(address: str, store: Store) -> None:
    made: Reservation = Reservations(store).reserve(
        ReservationRequest(resource=Resource.TOKENS, amount=5, subject="c"), anything
    )
    with store.writing() as connection:
        connection.execute(text("UPDATE reservations SET amount = -5 WHERE id = :id"), {"id": made.id})
    with pytest.raises(StateUnusable, match="is not a reservation"):
        Reservations(store).reserve(ReservationRequest(resource=Resource.TOKENS, amount=1, subject="d"), anything)


def test_a_dropped_table_is_damage(address: str, store: Store) -> None:
    with store.writing() as connection:
        connection.execute(text("DROP TABLE reservations"))
    with pytest.raises(StateUnusable):
        Reservations(store).counted()
    engine = create_engine(address)
    with pytest.raises(StateUnusable, match="is missing from the state database"):
        Store(engine)
    engine.dispose()


@pytest.mark.parametrize("how", ["UPDATE ledger SET body = 'x'", "DELETE FROM ledger", "TRUNCATE ledger"])
def test_the_ledger_is_append_only(store: Store, how: str) -> None:
    row = "INSERT INTO ledger VALUES (1, '', '', '', '', '', '', '', '', '')"
    with store.writing() as connection:
        connection.execute(text(row))
    with pytest.raises(StateUnusable, match="append-only"), store.writing() as connection:
        connection.execute(text(how))


def test_an_unreachable_server_is_an_error() -> None:
    with pytest.raises(StateUnusable):
        Store(create_engine("postgresql+psycopg://nobody@127.0.0.1:1/none"))
