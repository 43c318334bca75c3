"""Budgets over reservations and ledger: a subject in both counts once, and unreadable data stops all spending."""

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
from whet.config import BudgetPolicy
from whet.domain.reservation import Resource
from whet.errors import Refused
from whet.ledger.ledger import Ledger
from whet.workflow.budgets import Budgets
from whet.store.reservations import Reservations
from whet.store.store import open_store
folder, what, number = pathlib.Path(sys.argv[1]), sys.argv[2], sys.argv[3]
store = open_store(folder)
ledger = Ledger(store, folder)
policy = BudgetPolicy(cycles_per_day=5, proposals_per_day=5, tokens_per_day=50, wall_seconds_per_day=50)
budgets = Budgets(ledger, Reservations(store), policy)
print("ready", flush=True)
sys.stdin.readline()
try:
    if what == "cycle":
        made = budgets.reserve_cycle(number)
        ledger.append("observe", {}, subject=number, key=number, kind="Trigger")
        budgets.settle(made, 1)
    elif what == "attempt":
        if budgets.reserve_attempt(number, "s" + number): raise Refused("")
    else:
        resource = Resource(what)
        budgets.settle(budgets.reserve(resource, 10 * resource.units_in_one, number), 10 * resource.units_in_one)
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
    def budgets(**policy: Any) -> Budgets:
        return Budgets(ledger, Reservations(store), BudgetPolicy(**policy))

    return budgets


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


def test_a_cycle_counts_once_before_and_after_it_is_in_the_ledger(make: Make, ledger: Ledger) -> None:
    budgets = make(cycles_per_day=2)
    reserved = budgets.reserve_cycle("c-1")
    assert budgets.use(budgets.counted(), Resource.CYCLES).total == 1
    note(ledger, "Trigger", "c-1")
    assert budgets.use(budgets.counted(), Resource.CYCLES).total == 1
    budgets.settle(reserved, 1)
    assert budgets.use(budgets.counted(), Resource.CYCLES).total == 1
    budgets.reserve_cycle("c-2")
    with pytest.raises(Refused, match="2 of 2 cycles of today have run") as refusal:
        budgets.reserve_cycle("c-3")
    assert refusal.value.code == "refused"


def test_cycles_that_are_only_in_the_ledger_count(make: Make, ledger: Ledger) -> None:
    for number in range(3):
        note(ledger, "Trigger", f"c-{number}")
    with pytest.raises(Refused, match="3 of 3 cycles"):
        make(cycles_per_day=3).reserve_cycle("c-new")


def test_a_cycle_is_refused_when_no_time_is_left(make: Make) -> None:
    with pytest.raises(Refused, match="wall seconds"):
        make(wall_seconds_per_day=0).reserve_cycle("c-1")


def test_an_attempt_counts_as_one_proposal_of_the_day(make: Make, ledger: Ledger) -> None:
    budgets = make(proposals_per_day=2)
    assert budgets.reserve_attempt("p-1", "s") == ""
    note(ledger, "Proposal", "p-1")
    assert budgets.reserve_attempt("p-2", "t") == ""
    assert budgets.reserve_attempt("p-3", "u") == "2 of 2 proposals of today are made"
    assert budgets.why_not("u") == "2 of 2 proposals of today are made"
    assert budgets.reserve_attempt("p-2", "t") == "", "its open reservation is not taken twice"


def test_open_and_failed_attempts_are_counted_together(make: Make, ledger: Ledger) -> None:
    budgets = make(attempts_per_signature=2)
    learn(ledger, "p-0")
    assert budgets.reserve_attempt("p-1", "s") == ""
    assert "2 attempts on one signature" in budgets.reserve_attempt("p-2", "s")
    assert budgets.reserve_attempt("p-2", "other") == ""


@pytest.mark.parametrize(("ending", "left"), [(Ending.MERGED, True), (Ending.REJECTED, False)])
def test_a_successful_attempt_costs_nothing(make: Make, ledger: Ledger, ending: Ending, left: bool) -> None:
    budgets = make(attempts_per_signature=1)
    assert budgets.reserve_attempt("p-1", "s") == ""
    budgets.end_attempt("p-1", failed=not ending.worked)
    assert (budgets.why_not("s") == "") is left
    learn(ledger, "p-1", ending)
    assert (budgets.why_not("s") == "") is left
    assert budgets.use(budgets.counted(), Resource.ATTEMPTS, "s").total == (0 if left else 1)


def test_the_cooldown_counts_from_the_last_lesson_or_open_attempt(make: Make, ledger: Ledger) -> None:
    budgets = make(cooldown_seconds=60)
    learn(ledger, "p-0", ago=30)
    assert "less than 60 seconds ago" in budgets.reserve_attempt("p-1", "s")
    assert make(cooldown_seconds=20).reserve_attempt("p-1", "s") == ""
    assert "less than 20 seconds ago" in make(cooldown_seconds=20).reserve_attempt("p-2", "s")


@pytest.mark.parametrize("resource", [Resource.TOKENS, Resource.MONEY])
def test_tokens_and_money_are_limited_by_the_policy(make: Make, resource: Resource) -> None:
    with pytest.raises(BudgetSpent):
        make(tokens_per_day=0, money_per_day="0").reserve(resource, 1, "p-1")
    budgets = make(tokens_per_day=100, money_per_day="0.000100")
    made = budgets.reserve(resource, 60, "p-1")
    with pytest.raises(BudgetSpent):
        budgets.reserve(resource, 41, "p-2")
    budgets.settle(made, 90)
    budgets.refund(budgets.reserve(resource, 10, "p-2"))
    budgets.settle(budgets.reserve(resource, 10, "p-2"), 15)
    use = budgets.use(budgets.counted(), resource)
    assert (use.reserved, use.spent) == (0, 105)
    with pytest.raises(BudgetSpent, match="no room") as refusal:
        budgets.reserve(resource, 1, "p-3")
    assert (refusal.value.code, refusal.value.exit_code) == ("budget_spent", 3)


def test_money_adds_up_without_rounding(make: Make) -> None:
    budgets = make(money_per_day=Decimal("0.3"))
    for _ in range(3):
        budgets.settle(budgets.reserve(Resource.MONEY, 100_000, "p-1"), 100_000)
    assert budgets.use(budgets.counted(), Resource.MONEY).spent == budgets.granted(Resource.MONEY)


def test_time_is_reserved_first_and_settled_even_after_an_error(make: Make) -> None:
    budgets = make(wall_seconds_per_day=100)
    with budgets.wall("p-1", 100):
        assert budgets.use(budgets.counted(), Resource.WALL).reserved == 100_000
        with pytest.raises(BudgetSpent), budgets.wall("p-2", 1):
            raise AssertionError("there was no room")
    with pytest.raises(ZeroDivisionError), budgets.wall("p-3", 99):
        time.sleep(0.05)
        _ = 1 / 0
    use = budgets.use(budgets.counted(), Resource.WALL)
    assert use.reserved == 0
    assert 50 <= use.spent < 30_000


def test_unrefusable_work_is_counted_and_never_refused(make: Make) -> None:
    budgets = make(wall_seconds_per_day=0)
    with budgets.wall_without_limit("p-1"):
        time.sleep(0.02)
    assert budgets.use(budgets.counted(), Resource.WALL).spent >= 20


def test_a_budget_renews_after_a_day(make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    budgets = make(tokens_per_day=1)
    budgets.settle(budgets.reserve(Resource.TOKENS, 1, "p-1"), 1)
    for hours, free in ((23, False), (25, True)):
        later = now() + timedelta(hours=hours)
        monkeypatch.setattr("whet.store.reservations.now", lambda later=later: later)
        if free:
            budgets.reserve(Resource.TOKENS, 1, "p-2")
        else:
            with pytest.raises(BudgetSpent):
                budgets.reserve(Resource.TOKENS, 1, "p-2")
        monkeypatch.undo()


@pytest.mark.slow
@pytest.mark.parametrize(
    "what", ["cycle", "tokens", *(pytest.param(what, marks=pytest.mark.long) for what in ("attempt", "wall_seconds"))]
)
def test_eight_processes_share_a_budget_for_exactly_five(tmp_path: Path, what: str) -> None:
    open_store(tmp_path).close()
    rivals = [
        subprocess.Popen(
            [sys.executable, "-c", RIVAL, str(tmp_path), what, str(number)],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
        )
        for number in range(8)
    ]  # fmt: skip
    assert [answer_of(rival) for rival in rivals] == ["ready"] * 8
    for rival in rivals:
        go(rival)
    assert sorted(answer_of(rival) for rival in rivals) == ["refused"] * 3 + ["taken"] * 5
    for rival in rivals:
        rival.communicate("end\n")


def answer_of(rival: "subprocess.Popen[str]") -> str:
    assert rival.stdout is not None
    return rival.stdout.readline().strip()


def go(rival: "subprocess.Popen[str]") -> None:
    assert rival.stdin is not None
    rival.stdin.write("go\n")
    rival.stdin.flush()


def test_a_spent_budget_parks_like_the_kill_switch() -> None:
    assert issubclass(BudgetSpent, Stopped)


def test_unreadable_reservations_stop_all_spending(make: Make, tmp_path: Path) -> None:
    budgets = make(tokens_per_day=5)
    budgets.reserve(Resource.TOKENS, 1, "p-1")
    connection = sqlite3.connect(tmp_path / FILE_NAME, isolation_level=None)
    connection.execute("UPDATE reservations SET amount = 'few'")
    connection.close()
    for ask in (
        lambda: budgets.reserve_cycle("c-1"),
        lambda: budgets.reserve_attempt("p-2", "s"),
        lambda: budgets.why_not("s"),
        lambda: budgets.reserve(Resource.TOKENS, 1, "p-2"),
        lambda: budgets.wall("p-2", 1).__enter__(),
        lambda: budgets.wall_without_limit("p-2").__enter__(),
        budgets.counted,
    ):
        with pytest.raises(StateUnusable):
            ask()
