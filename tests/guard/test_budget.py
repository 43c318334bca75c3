from typing import Any

import pytest

from whet.config import BudgetPolicy
from whet.domain.reservation import Resource
from whet.guard.answer import Allow, Refuse
from whet.guard.budget import Spent, budget, room

POLICY: dict[str, Any] = {
    "proposals_per_day": 5,
    "cycles_per_day": 4,
    "attempts_per_signature": 3,
    "cooldown_seconds": 60,
}
NOTHING: dict[str, Any] = {
    "proposals_today": 0,
    "cycles_today": 0,
    "attempts_on_signature": 0,
    "seconds_since_last_attempt": None,
    "readable": True,
}
NAN = float("nan")

ALLOWED: list[tuple[dict[str, Any], dict[str, Any]]] = [
    ({}, {}),
    ({"proposals_today": 4}, {}),
    ({"cycles_today": 3}, {}),
    ({"attempts_on_signature": 2, "seconds_since_last_attempt": 60.0}, {}),
    ({"attempts_on_signature": 2, "seconds_since_last_attempt": 1e9}, {}),
    ({"attempts_on_signature": 2, "seconds_since_last_attempt": 0.0}, {"cooldown_seconds": 0}),
    ({"attempts_on_signature": 2, "seconds_since_last_attempt": -0.1}, {"cooldown_seconds": 0}),
    ({"attempts_on_signature": 2}, {"cooldown_seconds": 0}),
]
REFUSED: list[tuple[dict[str, Any], dict[str, Any], str]] = [
    ({"readable": False}, {}, "budget_unreadable"),
    ({"readable": None}, {}, "budget_unreadable"),
    ({"readable": "yes"}, {}, "budget_unreadable"),
    ({"proposals_today": -1}, {}, "budget_unreadable"),
    ({"cycles_today": -1}, {}, "budget_unreadable"),
    ({"attempts_on_signature": -1}, {}, "budget_unreadable"),
    ({"proposals_today": None}, {}, "budget_unreadable"),
    ({"cycles_today": NAN}, {}, "budget_unreadable"),
    ({"attempts_on_signature": "0"}, {}, "budget_unreadable"),
    ({"proposals_today": 5}, {}, "budget_spent"),
    ({"proposals_today": 6}, {}, "budget_spent"),
    ({"cycles_today": 4}, {}, "budget_spent"),
    ({"cycles_today": 5}, {}, "budget_spent"),
    ({"attempts_on_signature": 3, "seconds_since_last_attempt": 1e9}, {}, "budget_spent"),
    ({"attempts_on_signature": 4, "seconds_since_last_attempt": 1e9}, {}, "budget_spent"),
    ({}, {"proposals_per_day": 0}, "budget_spent"),
    ({}, {"cycles_per_day": 0}, "budget_spent"),
    ({"attempts_on_signature": 1, "seconds_since_last_attempt": 59.9}, {}, "cooling_down"),
    ({"attempts_on_signature": 1, "seconds_since_last_attempt": 0.0}, {}, "cooling_down"),
    ({"attempts_on_signature": 1, "seconds_since_last_attempt": -5.0}, {}, "cooling_down"),
    ({"attempts_on_signature": 1, "seconds_since_last_attempt": NAN}, {}, "cooling_down"),
    ({"attempts_on_signature": 1}, {}, "cooling_down"),
    ({"seconds_since_last_attempt": 1.0}, {"cooldown_seconds": 2}, "cooling_down"),
    (
        {"attempts_on_signature": 1, "seconds_since_last_attempt": 0.5},
        {"cooldown_seconds": 1},
        "cooling_down",
    ),
]


@pytest.mark.parametrize(("spent", "policy"), ALLOWED)
def test_an_attempt_within_the_budget_is_allowed(spent: dict[str, Any], policy: dict[str, Any]) -> None:
    assert budget(Spent(**{**NOTHING, **spent}), BudgetPolicy(**{**POLICY, **policy})) == Allow()


@pytest.mark.parametrize(("spent", "policy", "code"), REFUSED)
def test_an_attempt_beyond_the_budget_is_refused(spent: dict[str, Any], policy: dict[str, Any], code: str) -> None:
    answer = budget(Spent(**{**NOTHING, **spent}), BudgetPolicy(**{**POLICY, **policy}))
    assert isinstance(answer, Refuse)
    assert answer.code == code


ROOM: list[tuple[Any, Any, Any, Any]] = [(1, 0, 0, 1), (0, 0, 0, 0), (5, 3, 2, 10), (0, 10, 0, 10), (10, 0, 0, 10)]
NO_ROOM: list[tuple[Any, Any, Any, Any, str]] = [
    (1, 0, 0, 0, "budget_spent"),
    (1, 10, 0, 10, "budget_spent"),
    (1, 0, 10, 10, "budget_spent"),
    (1, 5, 5, 10, "budget_spent"),
    (11, 0, 0, 10, "budget_spent"),
    (0, 11, 0, 10, "budget_spent"),
    (-1, 0, 0, 10, "budget_unreadable"),
    (1, -1, 0, 10, "budget_unreadable"),
    (1, 0, -1, 10, "budget_unreadable"),
    (1, 0, 0, -1, "budget_unreadable"),
    (1.0, 0, 0, 10, "budget_unreadable"),
    (1, NAN, 0, 10, "budget_unreadable"),
    (1, 0, None, 10, "budget_unreadable"),
    (1, 0, 0, float("inf"), "budget_unreadable"),
    (1, "0", 0, 10, "budget_unreadable"),
    (True, 0, 0, 10, "budget_unreadable"),
]


@pytest.mark.parametrize(("amount", "spent", "reserved", "granted"), ROOM)
def test_an_amount_that_fits_is_allowed(amount: Any, spent: Any, reserved: Any, granted: Any) -> None:
    answer = room(amount, spent=spent, reserved=reserved, granted=granted, resource=Resource.TOKENS)
    assert answer == Allow()


@pytest.mark.parametrize(("amount", "spent", "reserved", "granted", "code"), NO_ROOM)
def test_an_amount_that_does_not_fit_is_refused(
    amount: Any, spent: Any, reserved: Any, granted: Any, code: str
) -> None:
    answer = room(amount, spent=spent, reserved=reserved, granted=granted, resource=Resource.TOKENS)
    assert isinstance(answer, Refuse)
    assert answer.code == code


def test_the_reason_shows_exact_amounts_in_whole_units() -> None:
    answer = room(1, spent=2_499_999, reserved=1, granted=2_500_000, resource=Resource.MONEY)
    assert isinstance(answer, Refuse)
    assert answer.reason == (
        "of 2.5 money a day 2.499999 are spent and 0.000001 reserved: there is no room for 0.000001"
    )


@pytest.mark.parametrize("money", ["2.50", "0.000001", 3, 0])
def test_exact_money_is_accepted(money: Any) -> None:
    assert str(BudgetPolicy(money_per_day=money).money_per_day) == str(money)


@pytest.mark.parametrize("money", [2.5, 0.1, "0.0000001", "-1", -1, "nan", "inf", "a lot", True, None])
def test_inexact_money_is_a_config_error(money: Any) -> None:
    with pytest.raises(ValueError, match="money_per_day"):
        BudgetPolicy(money_per_day=money)
