"""The budgets over the book and the ledger: what is in both counts once, and what cannot be read is never nothing."""

import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from whet.config import BudgetPolicy
from whet.domain.clock import now
from whet.domain.lesson import Ending, Lesson
from whet.domain.reservation import Resource
from whet.errors import BudgetSpent, Refused, StateUnusable, Stopped
from whet.ledger.ledger import Ledger
from whet.store.reservations import Reservations
from whet.store.store import FILE_NAME, Store, open_store
from whet.workflow.budgets import Budgets

Make = Callable[..., Budgets]

RIVAL = """
import pathlib, sys
from whet.config import Budget
from whet.domain.reservation import Resource
from whet.errors import Refused
from whet.ledger.ledger import Ledger
from whet.workflow.budgets import Spending
from whet.store.reservations import Book
from whet.store.store import open_store
folder, what, number = pathlib.Path(sys.argv[1]), sys.argv[2], sys.argv[3]
store = open_store(folder)
ledger = Ledger(store, folder)
policy = Budget(cycles_per_day=5, proposals_per_day=5, tokens_per_day=50, wall_seconds_per_day=50)
spending = Spending(ledger, Book(store), policy)
print("ready", flush=True)
sys.stdin.readline()
try:
    if what == "cycle":
        made = spending.reserve_cycle(number)
        ledger.append("observe", {}, subject=number, key=number, kind="Trigger")
        spending.settle(made, 1)
    elif what == "attempt":
        if spending.reserve_attempt(number, "s" + number): raise Refused("")
    else:
        resource = Resource(what)
        spending.settle(spending.reserve(resource, 10 * resource.units_in_one, number), 10 * resource.units_in_one)
except Refused:
    print("refused", flush=True)
else:
    print("taken", flush=True)
sys.stdin.readline()
"""


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    opened = open_store(tmp_path)
    yield opened
    opened.close()


@pytest.fixture
def ledger(store: Store, tmp_path: Path) -> Ledger:
    return Ledger(store, tmp_path)


@pytest.fixture
def make(store: Store, ledger: Ledger) -> Make:
    def spending(**policy: Any) -> Budgets:
        return Budgets(ledger, Reservations(store), BudgetPolicy(**policy))

    return spending


def lesson(proposal: str, signature: str, ending: Ending, at: datetime) -> Lesson:
    return Lesson(
        proposal=proposal, signature=signature, engine="repair", ending=ending, code="", summary="", base="b",
        patch_digest="", learned_at=at,
    )  # fmt: skip


def learn(ledger: Ledger, proposal: str, ending: Ending = Ending.NOT_PROVEN, ago: float = 0) -> None:
    noun = lesson(proposal, "s", ending, now() - timedelta(seconds=ago))
    ledger.append("learn", noun, subject=proposal, key=f"{proposal}/learn")


def note(ledger: Ledger, kind: str, subject: str) -> None:
    ledger.append("observe", {}, subject=subject, key=f"{kind}/{subject}", kind=kind)


def test_a_cycle_counts_once_before_and_after_the_ledger_has_it(make: Make, ledger: Ledger) -> None:
    spending = make(cycles_per_day=2)
    reserved = spending.reserve_cycle("c-1")
    assert spending.use(spending.counted(), Resource.CYCLES).total == 1
    note(ledger, "Trigger", "c-1")
    assert spending.use(spending.counted(), Resource.CYCLES).total == 1
    spending.settle(reserved, 1)
    assert spending.use(spending.counted(), Resource.CYCLES).total == 1
    spending.reserve_cycle("c-2")
    with pytest.raises(Refused, match="2 of 2 cycles of today have run") as no:
        spending.reserve_cycle("c-3")
    assert no.value.code == "refused"


def test_cycles_from_before_there_was_a_book_count(make: Make, ledger: Ledger) -> None:
    for number in range(3):
        note(ledger, "Trigger", f"c-{number}")
    with pytest.raises(Refused, match="3 of 3 cycles"):
        make(cycles_per_day=3).reserve_cycle("c-new")


def test_a_cycle_is_not_begun_where_there_is_no_time_for_any_work(make: Make) -> None:
    with pytest.raises(Refused, match="wall seconds"):
        make(wall_seconds_per_day=0).reserve_cycle("c-1")


def test_an_attempt_takes_a_proposal_of_today_until_the_ledger_has_it(make: Make, ledger: Ledger) -> None:
    spending = make(proposals_per_day=2)
    assert spending.reserve_attempt("p-1", "s") == ""
    note(ledger, "Proposal", "p-1")
    assert spending.reserve_attempt("p-2", "t") == ""
    assert spending.reserve_attempt("p-3", "u") == "2 of 2 proposals of today are made"
    assert spending.why_not("u") == "2 of 2 proposals of today are made"
    assert spending.reserve_attempt("p-2", "t") == "", "what it holds already is not taken twice"


def test_attempts_under_way_and_failed_ones_are_counted_together(make: Make, ledger: Ledger) -> None:
    spending = make(attempts_per_signature=2)
    learn(ledger, "p-0")
    assert spending.reserve_attempt("p-1", "s") == ""
    assert "2 attempts on one signature" in spending.reserve_attempt("p-2", "s")
    assert spending.reserve_attempt("p-2", "other") == ""


@pytest.mark.parametrize(("ending", "left"), [(Ending.MERGED, True), (Ending.REJECTED, False)])
def test_an_attempt_that_worked_costs_nothing(make: Make, ledger: Ledger, ending: Ending, left: bool) -> None:
    spending = make(attempts_per_signature=1)
    assert spending.reserve_attempt("p-1", "s") == ""
    spending.end_attempt("p-1", failed=not ending.worked)
    assert (spending.why_not("s") == "") is left
    learn(ledger, "p-1", ending)
    assert (spending.why_not("s") == "") is left
    assert spending.use(spending.counted(), Resource.ATTEMPTS, "s").total == (0 if left else 1)


def test_the_cool_down_runs_from_the_last_lesson_and_not_while_one_is_under_way(make: Make, ledger: Ledger) -> None:
    spending = make(cooldown_seconds=60)
    learn(ledger, "p-0", ago=30)
    assert "less than 60 seconds ago" in spending.reserve_attempt("p-1", "s")
    assert make(cooldown_seconds=20).reserve_attempt("p-1", "s") == ""
    assert "less than 20 seconds ago" in make(cooldown_seconds=20).reserve_attempt("p-2", "s")


@pytest.mark.parametrize("resource", [Resource.TOKENS, Resource.MONEY])
def test_tokens_and_money_are_granted_by_the_policy_alone(make: Make, resource: Resource) -> None:
    with pytest.raises(BudgetSpent):
        make().reserve(resource, 1, "p-1")
    spending = make(tokens_per_day=100, money_per_day="0.000100")
    made = spending.reserve(resource, 60, "p-1")
    with pytest.raises(BudgetSpent):
        spending.reserve(resource, 41, "p-2")
    spending.settle(made, 90)
    spending.refund(spending.reserve(resource, 10, "p-2"))
    spending.settle(spending.reserve(resource, 10, "p-2"), 15)
    use = spending.use(spending.counted(), resource)
    assert (use.reserved, use.spent) == (0, 105)
    with pytest.raises(BudgetSpent, match="no room") as no:
        spending.reserve(resource, 1, "p-3")
    assert (no.value.code, no.value.exit_code) == ("budget_spent", 3)


def test_money_adds_up_without_rounding(make: Make) -> None:
    spending = make(money_per_day=Decimal("0.3"))
    for _ in range(3):
        spending.settle(spending.reserve(Resource.MONEY, 100_000, "p-1"), 100_000)
    assert spending.use(spending.counted(), Resource.MONEY).spent == spending.granted(Resource.MONEY)


def test_time_is_reserved_before_and_settled_after_be_it_that_it_broke(make: Make) -> None:
    spending = make(wall_seconds_per_day=100)
    with spending.wall("p-1", 100):
        assert spending.use(spending.counted(), Resource.WALL).reserved == 100_000
        with pytest.raises(BudgetSpent), spending.wall("p-2", 1):
            raise AssertionError("there was no room")
    with pytest.raises(ZeroDivisionError), spending.wall("p-3", 99):
        time.sleep(0.05)
        _ = 1 / 0
    use = spending.use(spending.counted(), Resource.WALL)
    assert use.reserved == 0
    assert 50 <= use.spent < 30_000


def test_looking_after_a_deployment_is_counted_and_never_refused(make: Make) -> None:
    spending = make(wall_seconds_per_day=0)
    with spending.wall_at_any_price("p-1"):
        time.sleep(0.02)
    assert spending.use(spending.counted(), Resource.WALL).spent >= 20


def test_a_day_later_there_is_room_again(make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    spending = make(tokens_per_day=1)
    spending.settle(spending.reserve(Resource.TOKENS, 1, "p-1"), 1)
    for hours, free in ((23, False), (25, True)):
        later = now() + timedelta(hours=hours)
        monkeypatch.setattr("whet.store.reservations.now", lambda later=later: later)
        if free:
            spending.reserve(Resource.TOKENS, 1, "p-2")
        else:
            with pytest.raises(BudgetSpent):
                spending.reserve(Resource.TOKENS, 1, "p-2")
        monkeypatch.undo()


@pytest.mark.slow
@pytest.mark.parametrize("what", ["cycle", "attempt", "tokens", "wall_seconds"])
def test_of_eight_rivals_exactly_five_get_what_there_is_for_five(tmp_path: Path, what: str) -> None:
    open_store(tmp_path).close()
    rivals = [
        subprocess.Popen(
            [sys.executable, "-c", RIVAL, str(tmp_path), what, str(number)],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
        )
        for number in range(8)
    ]  # fmt: skip
    assert [heard(rival) for rival in rivals] == ["ready"] * 8
    for rival in rivals:
        tell(rival)
    assert sorted(heard(rival) for rival in rivals) == ["refused"] * 3 + ["taken"] * 5
    for rival in rivals:
        rival.communicate("end\n")


def heard(rival: "subprocess.Popen[str]") -> str:
    assert rival.stdout is not None
    return rival.stdout.readline().strip()


def tell(rival: "subprocess.Popen[str]") -> None:
    assert rival.stdin is not None
    rival.stdin.write("go\n")
    rival.stdin.flush()


def test_a_spent_budget_parks_like_the_kill_switch() -> None:
    assert issubclass(BudgetSpent, Stopped)


def test_a_book_that_cannot_be_read_stops_everything(make: Make, tmp_path: Path) -> None:
    spending = make(tokens_per_day=5)
    spending.reserve(Resource.TOKENS, 1, "p-1")
    connection = sqlite3.connect(tmp_path / FILE_NAME, isolation_level=None)
    connection.execute("UPDATE reservations SET amount = 'few'")
    connection.close()
    for ask in (
        lambda: spending.reserve_cycle("c-1"),
        lambda: spending.reserve_attempt("p-2", "s"),
        lambda: spending.why_not("s"),
        lambda: spending.reserve(Resource.TOKENS, 1, "p-2"),
        lambda: spending.wall("p-2", 1).__enter__(),
        lambda: spending.wall_at_any_price("p-2").__enter__(),
        spending.counted,
    ):
        with pytest.raises(StateUnusable):
            ask()
