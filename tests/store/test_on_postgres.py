"""The same store on PostgreSQL: what many processes reserve there is decided one after the other, and the dead give back."""

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
from whet.domain.reservation import Resource, Wanted
from whet.errors import Refused
from whet.store.reservations import Book
from whet.store.store import Store
book = Book(Store(create_engine(sys.argv[1])))
def permit(rows):
    time.sleep(0.05)  # long enough for every rival to have looked as well, if it could
    if sum(one.reserved + one.spent for one in rows) >= int(sys.argv[2]): raise Refused("spent")
print("ready", flush=True)
sys.stdin.readline()
try:
    book.reserve(Wanted(resource=Resource.TOKENS, amount=1, subject="c"), permit)
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
        for one in started:
            assert one.stdout is not None
            assert one.stdout.readline() == "ready\n"
        yield started
    finally:
        for one in started:
            one.kill()
            one.communicate()


def told(one: "subprocess.Popen[str]") -> str:
    assert one.stdout is not None
    return one.stdout.readline().strip()


def go(one: "subprocess.Popen[str]") -> None:
    assert one.stdin is not None
    one.stdin.write("\n")
    one.stdin.flush()


def anything(_: object) -> None:
    """A rule that grants everything."""


@pytest.mark.slow
def test_of_many_processes_exactly_as_many_get_it_as_there_is_room_and_the_dead_give_it_back(
    address: str, store: Store
) -> None:
    with rivals(address, RIVALS) as started:
        for one in started:
            go(one)
        answers = [told(one) for one in started]
        assert sorted(answers) == ["refused"] * (RIVALS - ROOM) + ["taken"] * ROOM
        assert len(Reservations(store).counted()) == ROOM
        victim = next(one for one, answer in zip(started, answers, strict=True) if answer == "taken")
        victim.send_signal(signal.SIGKILL)
        victim.wait()
        assert len(Reservations(store).counted()) == ROOM - 1


def test_what_is_settled_counts_and_survives_a_restart(address: str, store: Store) -> None:
    book = Reservations(store)
    made = book.reserve(ReservationRequest(resource=Resource.TOKENS, amount=5, subject="c"), anything)
    book.settle(made, 7)
    again = Store(create_engine(address))
    assert [one.spent for one in Reservations(again).counted()] == [7]
    again.close()


def test_a_row_that_is_no_reservation_stops_all_spending(address: str, store: Store) -> None:
    made: Reservation = Reservations(store).reserve(ReservationRequest(resource=Resource.TOKENS, amount=5, subject="c"), anything)
    with store.writing() as connection:
        connection.execute(text("UPDATE reservations SET amount = -5 WHERE id = :id"), {"id": made.id})
    with pytest.raises(StateUnusable, match="is no reservation"):
        Reservations(store).reserve(ReservationRequest(resource=Resource.TOKENS, amount=1, subject="d"), anything)


def test_a_table_that_is_gone_is_damage(address: str, store: Store) -> None:
    with store.writing() as connection:
        connection.execute(text("DROP TABLE reservations"))
    with pytest.raises(StateUnusable):
        Reservations(store).counted()
    engine = create_engine(address)
    with pytest.raises(StateUnusable, match="has lost its table"):
        Store(engine)
    engine.dispose()


@pytest.mark.parametrize("how", ["UPDATE ledger SET body = 'x'", "DELETE FROM ledger", "TRUNCATE ledger"])
def test_the_ledger_is_append_only(store: Store, how: str) -> None:
    row = "INSERT INTO ledger VALUES (1, '', '', '', '', '', '', '', '', '')"
    with store.writing() as connection:
        connection.execute(text(row))
    with pytest.raises(StateUnusable, match="append-only"), store.writing() as connection:
        connection.execute(text(how))


def test_a_server_that_is_not_there_stops_everything() -> None:
    with pytest.raises(StateUnusable):
        Store(create_engine("postgresql+psycopg://nobody@127.0.0.1:1/none"))
