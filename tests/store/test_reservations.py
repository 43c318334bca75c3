"""Reservations: permitted in the transaction that writes them, and refunded when their process dies."""

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
from whet.store.reservations import LARGEST, Reservations
from whet.store.schema import VERSION
from whet.store.store import FILE_NAME, open_store

TAKE = """
import sys, time, pathlib
from whet.domain.reservation import ReservationRequest, Resource
from whet.errors import Refused
from whet.store.reservations import Reservations
from whet.store.store import open_store
folder, room, then = pathlib.Path(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
reservations = Reservations(open_store(folder))
def permit(rows):
    time.sleep(0.05)  # without the write lock, every other process would read the table in this time
    if sum(row.reserved + row.spent for row in rows) + 1 > room: raise Refused("spent")
sys.stdin.readline()
try:
    made = reservations.reserve(ReservationRequest(resource=Resource(sys.argv[4]), amount=1, subject="c"), permit)
except Refused:
    print("refused", flush=True)
else:
    print("taken", flush=True)
    if then == "settle": reservations.settle(made, 1)
    if then == "hold": sys.stdin.readline()
"""


@pytest.fixture
def reservations(tmp_path: Path) -> Iterator[Reservations]:
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
    return sum(row.reserved + row.spent for row in rows)


def tokens(amount: int = 1, subject: str = "c-1") -> ReservationRequest:
    return ReservationRequest(resource=Resource.TOKENS, amount=amount, subject=subject)


def start(folder: Path, room: int, then: str, resource: Resource = Resource.TOKENS) -> "subprocess.Popen[str]":
    command = [sys.executable, "-c", TAKE, str(folder), str(room), then, resource]
    return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


def go(process: "subprocess.Popen[str]") -> str:
    assert process.stdin is not None and process.stdout is not None
    process.stdin.write("go\n")
    process.stdin.flush()
    return process.stdout.readline().strip()


def test_a_reservation_counts_until_it_is_settled_or_refunded(reservations: Reservations) -> None:
    first, second = reservations.reserve(tokens(10), anything), reservations.reserve(tokens(20), anything)
    assert taken(reservations.counted()) == 30
    assert reservations.settle(first, 4).spent == 4
    assert taken(reservations.counted()) == 24
    reservations.refund(second)
    assert [(row.reserved, row.spent) for row in reservations.counted()] == [(0, 4)]


def test_overspending_is_recorded_and_counts(reservations: Reservations) -> None:
    reservations.settle(reservations.reserve(tokens(10), at_most(10)), 25)
    assert taken(reservations.counted()) == 25
    with pytest.raises(Refused):
        reservations.reserve(tokens(), at_most(10))


def test_a_refused_reservation_is_not_recorded(reservations: Reservations) -> None:
    with pytest.raises(Refused):
        reservations.reserve(tokens(), at_most(0))
    assert reservations.counted() == []


def test_spent_and_held_amounts_survive_a_restart(tmp_path: Path) -> None:
    store = open_store(tmp_path)
    Reservations(store).settle(Reservations(store).reserve(tokens(7), anything), 7)
    Reservations(store).reserve(tokens(5), anything)
    store.close()
    again = open_store(tmp_path)
    assert taken(Reservations(again).counted()) == 12
    again.close()


def test_a_cycle_reserves_once_however_often_it_asks(reservations: Reservations) -> None:
    request = ReservationRequest(resource=Resource.CYCLES, amount=1, subject="c-1")
    assert reservations.reserve(request, at_most(1)).id == reservations.reserve(request, at_most(1)).id
    assert reservations.reserve(tokens(), anything).id != reservations.reserve(tokens(), anything).id


def test_settling_twice_and_invalid_amounts_are_refused(reservations: Reservations) -> None:
    made = reservations.reserve(tokens(), anything)
    reservations.settle(made, 1)
    with pytest.raises(Internal, match="already settled"):
        reservations.settle(made, 1)
    with pytest.raises(StateUnusable, match="is missing from the state database"):
        reservations.settle(replace(made, id="another"), 1)
    for amount in (-1, 1.5, True, "1", None, float("nan"), LARGEST + 1):
        wrong: Any = amount
        with pytest.raises(Internal):
            reservations.reserve(tokens(wrong), anything)
        with pytest.raises(Internal):
            reservations.settle(made, wrong)


@pytest.mark.slow
@pytest.mark.parametrize("then", ["settle", "hold"])
def test_eight_processes_get_exactly_the_five_available_reservations(tmp_path: Path, then: str) -> None:
    open_store(tmp_path).close()
    processes = [start(tmp_path, 5, then) for _ in range(8)]
    for process in processes:
        assert process.stdin is not None
        process.stdin.write("go\n")
        process.stdin.flush()
    answers = [process.stdout.readline().strip() for process in processes if process.stdout]
    assert sorted(answers) == ["refused"] * 3 + ["taken"] * 5
    for process in processes:
        process.communicate("end\n")


@pytest.mark.slow
def test_a_killed_process_is_refunded_except_for_settled_amounts(tmp_path: Path) -> None:
    store = open_store(tmp_path)
    wall = ReservationRequest(resource=Resource.WALL, amount=1, subject="c-1")
    settled = start(tmp_path, 2, "settle", Resource.WALL)
    assert go(settled) == "taken"
    settled.communicate("end\n")
    holder = start(tmp_path, 2, "hold", Resource.WALL)
    assert go(holder) == "taken"
    with pytest.raises(Refused):
        Reservations(store).reserve(wall, at_most(2))
    kill(holder)
    assert taken(Reservations(store).counted()) == 1
    Reservations(store).reserve(wall, at_most(2))
    with pytest.raises(Refused):
        Reservations(store).reserve(wall, at_most(2))
    holder.communicate()
    store.close()


@pytest.mark.slow
@pytest.mark.parametrize("resource", [Resource.TOKENS, Resource.MONEY])
def test_tokens_and_money_of_a_killed_process_count_as_spent(tmp_path: Path, resource: Resource) -> None:
    store = open_store(tmp_path)
    holder = start(tmp_path, 2, "hold", resource)
    assert go(holder) == "taken"
    kill(holder)
    [reservation] = Reservations(store).counted()
    assert (reservation.state, reservation.spent) == (ReservationState.SETTLED, 1)
    assert Reservations(store).counted() == [reservation], "it is closed once"
    holder.communicate()
    store.close()


def kill(process: "subprocess.Popen[str]") -> None:
    process.send_signal(signal.SIGKILL)
    while process_state(process.pid) not in ("Z", ""):  # dead, but still a zombie
        pass


def process_state(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except (FileNotFoundError, ProcessLookupError):
        return ""


def test_the_total_exceeds_the_budget_only_by_overspending(reservations: Reservations) -> None:
    chance, granted, overspent = random.Random(7), 50, 0
    held: list[Reservation] = []
    for _ in range(100):
        if held and chance.random() < 0.45:
            reservation = held.pop(chance.randrange(len(held)))
            if chance.random() < 0.3:
                reservations.refund(reservation)
                continue
            actual = chance.randint(0, reservation.amount + (3 if chance.random() < 0.2 else 0))
            overspent += max(0, actual - reservation.amount)
            reservations.settle(reservation, actual)
        else:
            request = tokens(chance.randint(0, 12))

            def permit(rows: Sequence[Reservation], amount: int = request.amount) -> None:
                if taken(rows) + amount > granted:
                    raise Refused("spent")

            with contextlib.suppress(Refused):
                held.append(reservations.reserve(request, permit))
        assert taken(reservations.counted()) <= granted + overspent
    assert overspent > 0


DAMAGE = [
    "resource = 'sweets'", "amount = -1", "amount = 'many'", "amount = 1.5",
    "state = 'open', settled = 1", "state = 'settled', settled = NULL", "state = 'settled', settled = -3",
    "state = 'settled', settled = 'none'", "state = 'gone'", "state = X'00'", "at = 'yesterday'", "at = 5",
    "at = '2026-01-01T00:00:00'", "holder = ''", "holder = 'a b c d e'", "holder = X'01'", "subject = X'ff'",
]  # fmt: skip


@pytest.mark.parametrize("damage", DAMAGE)
def test_an_unreadable_row_stops_all_spending(tmp_path: Path, damage: str) -> None:
    store = open_store(tmp_path)
    reservations = Reservations(store)
    made = reservations.reserve(tokens(), anything)
    other = reservations.reserve(tokens(), anything)
    connection = sqlite3.connect(tmp_path / FILE_NAME)
    connection.execute(f"UPDATE reservations SET {damage} WHERE id = '{made.id}'")
    connection.commit()
    connection.close()
    with pytest.raises(StateUnusable):
        reservations.counted()
    with pytest.raises(StateUnusable):
        reservations.reserve(tokens(), anything)
    with pytest.raises(StateUnusable):
        reservations.held(Resource.TOKENS, "c-1")
    assert reservations.settle(other, 1).state is ReservationState.SETTLED
    store.close()


@pytest.mark.parametrize("table", ["reservations", "ledger", "schema_version"])
def test_a_missing_table_is_damage(tmp_path: Path, table: str) -> None:
    open_store(tmp_path).close()
    connection = sqlite3.connect(tmp_path / FILE_NAME)
    connection.execute(f"DROP TABLE {table}")
    connection.close()
    with pytest.raises(StateUnusable, match=r"is missing from the state database|has no schema version"):
        open_store(tmp_path)


def test_a_version_1_database_gets_the_reservations_table(tmp_path: Path) -> None:
    open_store(tmp_path).close()
    connection = sqlite3.connect(tmp_path / FILE_NAME, isolation_level=None)
    connection.execute("DROP TABLE reservations")
    connection.execute("UPDATE schema_version SET version = 1")
    store = open_store(tmp_path)
    assert Reservations(store).counted() == []
    assert connection.execute("SELECT version FROM schema_version").fetchall() == [(VERSION,)]
    connection.close()
    store.close()
