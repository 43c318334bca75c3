"""The reservation book: decided where it is written, held by a process, given back when that dies."""

import contextlib
import random
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from whet.domain.reservation import Reservation, ReservationRequest, ReservationState, Resource
from whet.errors import Internal, Refused, StateUnusable
from whet.store.process_identity import ProcessIdentity, parse, this_process
from whet.store.reservations import LARGEST, Reservations
from whet.store.store import FILE_NAME, open_store

TAKE = """
import sys, time, pathlib
from whet.domain.reservation import Resource, Wanted
from whet.errors import Refused
from whet.store.reservations import Book
from whet.store.store import open_store
folder, room, then = pathlib.Path(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
book = Book(open_store(folder))
def permit(rows):
    time.sleep(0.05)  # long enough for every rival to have looked as well, if it could
    if sum(one.reserved + one.spent for one in rows) + 1 > room: raise Refused("spent")
sys.stdin.readline()
try:
    made = book.reserve(Wanted(resource=Resource.TOKENS, amount=1, subject="c"), permit)
except Refused:
    print("refused", flush=True)
else:
    print("taken", flush=True)
    if then == "settle": book.settle(made, 1)
    if then == "hold": sys.stdin.readline()
"""


@pytest.fixture
def book(tmp_path: Path) -> Iterator[Reservations]:
    store = open_store(tmp_path)
    yield Reservations(store)
    store.close()


def anything(_: Sequence[Reservation]) -> None:
    """A rule that grants everything."""


def at_most(granted: int) -> Callable[[Sequence[Reservation]], None]:
    def permit(rows: Sequence[Reservation]) -> None:
        if taken(rows) >= granted:
            raise Refused("spent")

    return permit


def taken(rows: Sequence[Reservation]) -> int:
    return sum(one.reserved + one.spent for one in rows)


def tokens(amount: int = 1, subject: str = "c-1") -> ReservationRequest:
    return ReservationRequest(resource=Resource.TOKENS, amount=amount, subject=subject)


def start(folder: Path, room: int, then: str) -> "subprocess.Popen[str]":
    command = [sys.executable, "-c", TAKE, str(folder), str(room), then]
    return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


def go(process: "subprocess.Popen[str]") -> str:
    assert process.stdin is not None and process.stdout is not None
    process.stdin.write("go\n")
    process.stdin.flush()
    return process.stdout.readline().strip()


def test_what_is_reserved_counts_until_it_is_settled_or_given_back(book: Reservations) -> None:
    first, second = book.reserve(tokens(10), anything), book.reserve(tokens(20), anything)
    assert taken(book.counted()) == 30
    assert book.settle(first, 4).spent == 4
    assert taken(book.counted()) == 24
    book.refund(second)
    assert [(one.reserved, one.spent) for one in book.counted()] == [(0, 4)]


def test_more_than_was_reserved_is_written_down_as_it_was(book: Reservations) -> None:
    book.settle(book.reserve(tokens(10), at_most(10)), 25)
    assert taken(book.counted()) == 25
    with pytest.raises(Refused):
        book.reserve(tokens(), at_most(10))


def test_a_refusal_leaves_nothing_in_the_book(book: Reservations) -> None:
    with pytest.raises(Refused):
        book.reserve(tokens(), at_most(0))
    assert book.counted() == []


def test_a_restart_finds_what_was_spent_and_what_a_living_process_holds(tmp_path: Path) -> None:
    store = open_store(tmp_path)
    Reservations(store).settle(Reservations(store).reserve(tokens(7), anything), 7)
    Reservations(store).reserve(tokens(5), anything)
    store.close()
    again = open_store(tmp_path)
    assert taken(Reservations(again).counted()) == 12
    again.close()


def test_a_cycle_is_taken_once_however_often_it_asks(book: Reservations) -> None:
    wanted = ReservationRequest(resource=Resource.CYCLES, amount=1, subject="c-1")
    assert book.reserve(wanted, at_most(1)).id == book.reserve(wanted, at_most(1)).id
    assert book.reserve(tokens(), anything).id != book.reserve(tokens(), anything).id


def test_nothing_is_settled_twice_and_no_amount_is_made_up(book: Reservations) -> None:
    made = book.reserve(tokens(), anything)
    book.settle(made, 1)
    with pytest.raises(Internal, match="settled before"):
        book.settle(made, 1)
    with pytest.raises(StateUnusable, match="has lost"):
        book.settle(replace(made, id="another"), 1)
    for amount in (-1, 1.5, True, "1", None, float("nan"), LARGEST + 1):
        wrong: Any = amount
        with pytest.raises(Internal):
            book.reserve(tokens(wrong), anything)
        with pytest.raises(Internal):
            book.settle(made, wrong)


@pytest.mark.slow
@pytest.mark.parametrize("then", ["settle", "hold"])
def test_of_eight_processes_exactly_five_get_the_five_that_there_are(tmp_path: Path, then: str) -> None:
    open_store(tmp_path).close()
    processes = [start(tmp_path, 5, then) for _ in range(8)]
    for process in processes:
        assert process.stdin is not None
        process.stdin.write("go\n")
        process.stdin.flush()
    said = [process.stdout.readline().strip() for process in processes if process.stdout]
    assert sorted(said) == ["refused"] * 3 + ["taken"] * 5
    for process in processes:
        process.communicate("end\n")


@pytest.mark.slow
def test_what_a_killed_process_held_is_given_back_and_what_it_settled_is_not(tmp_path: Path) -> None:
    store = open_store(tmp_path)
    settled = start(tmp_path, 2, "settle")
    assert go(settled) == "taken"
    settled.communicate("end\n")
    holder = start(tmp_path, 2, "hold")
    assert go(holder) == "taken"
    with pytest.raises(Refused):
        Reservations(store).reserve(tokens(), at_most(2))
    holder.send_signal(signal.SIGKILL)
    while parse_state(holder.pid) not in ("Z", ""):  # dead, and nobody has asked how it ended
        pass
    assert taken(Reservations(store).counted()) == 1
    Reservations(store).reserve(tokens(), at_most(2))
    with pytest.raises(Refused):
        Reservations(store).reserve(tokens(), at_most(2))
    holder.communicate()
    store.close()


def parse_state(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except (FileNotFoundError, ProcessLookupError):
        return ""


def test_the_sum_never_exceeds_the_grant_but_by_what_was_overspent(book: Reservations) -> None:
    chance, granted, overspent = random.Random(7), 50, 0
    held: list[Reservation] = []
    for _ in range(100):
        if held and chance.random() < 0.45:
            one = held.pop(chance.randrange(len(held)))
            if chance.random() < 0.3:
                book.refund(one)
                continue
            actual = chance.randint(0, one.amount + (3 if chance.random() < 0.2 else 0))
            overspent += max(0, actual - one.amount)
            book.settle(one, actual)
        else:
            wanted = tokens(chance.randint(0, 12))

            def permit(rows: Sequence[Reservation], amount: int = wanted.amount) -> None:
                if taken(rows) + amount > granted:
                    raise Refused("spent")

            with contextlib.suppress(Refused):
                held.append(book.reserve(wanted, permit))
        assert taken(book.counted()) <= granted + overspent
    assert overspent > 0


DAMAGE = [
    "resource = 'sweets'", "amount = -1", "amount = 'many'", "amount = 1.5",
    "state = 'open', settled = 1", "state = 'settled', settled = NULL", "state = 'settled', settled = -3",
    "state = 'settled', settled = 'none'", "state = 'gone'", "state = X'00'", "at = 'yesterday'", "at = 5",
    "at = '2026-01-01T00:00:00'", "holder = ''", "holder = 'a b c d e'", "holder = X'01'", "subject = X'ff'",
]  # fmt: skip


@pytest.mark.parametrize("damage", DAMAGE)
def test_a_row_that_cannot_be_read_stops_all_spending(tmp_path: Path, damage: str) -> None:
    store = open_store(tmp_path)
    book = Reservations(store)
    made = book.reserve(tokens(), anything)
    other = book.reserve(tokens(), anything)
    connection = sqlite3.connect(tmp_path / FILE_NAME)
    connection.execute(f"UPDATE reservations SET {damage} WHERE id = '{made.id}'")
    connection.commit()
    connection.close()
    with pytest.raises(StateUnusable):
        book.counted()
    with pytest.raises(StateUnusable):
        book.reserve(tokens(), anything)
    with pytest.raises(StateUnusable):
        book.held(Resource.TOKENS, "c-1")
    assert book.settle(other, 1).state is ReservationState.SETTLED
    store.close()


@pytest.mark.parametrize("table", ["reservations", "ledger", "schema_version"])
def test_a_table_that_was_there_and_is_gone_is_damage_and_not_nothing_spent(tmp_path: Path, table: str) -> None:
    open_store(tmp_path).close()
    connection = sqlite3.connect(tmp_path / FILE_NAME)
    connection.execute(f"DROP TABLE {table}")
    connection.close()
    with pytest.raises(StateUnusable, match=r"has lost its table|does not say"):
        open_store(tmp_path)


def test_a_database_from_before_there_was_a_book_gets_one(tmp_path: Path) -> None:
    open_store(tmp_path).close()
    connection = sqlite3.connect(tmp_path / FILE_NAME, isolation_level=None)
    connection.execute("DROP TABLE reservations")
    connection.execute("UPDATE schema_version SET version = 1")
    store = open_store(tmp_path)
    assert Reservations(store).counted() == []
    assert connection.execute("SELECT version FROM schema_version").fetchall() == [(2,)]
    connection.close()
    store.close()


def test_only_a_process_that_is_surely_gone_is_taken_for_dead() -> None:
    me = this_process()
    assert parse(str(me)) == me
    assert not me.is_gone(me)
    assert replace(me, started="1").is_gone(me)
    assert replace(me, pid=2**22 + 1).is_gone(me)
    assert replace(me, boot="before").is_gone(me)
    assert not replace(me, namespace="pid:[1]", started="1").is_gone(me)
    assert not replace(me, machine="another", boot="another", started="1").is_gone(me)


@pytest.mark.parametrize("text", ["", "a b c 1", "a b c x e", "a b c 1 ", "a b c -1 e", "a b c ² e", "a b c 1 e f"])
def test_what_is_no_holder_is_not_read_as_one(text: str) -> None:
    assert parse(text) is None
    assert isinstance(parse("a b c 1 e"), ProcessIdentity)
