from typing import Any

import pytest

from whet.config import Budget
from whet.guard import Allow, Refuse
from whet.guard.budget import Spent, budget

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
def test_there_is_room_for_one_more(spent: dict[str, Any], policy: dict[str, Any]) -> None:
    assert budget(Spent(**{**NOTHING, **spent}), Budget(**{**POLICY, **policy})) == Allow()


@pytest.mark.parametrize(("spent", "policy", "code"), REFUSED)
def test_there_is_none(spent: dict[str, Any], policy: dict[str, Any], code: str) -> None:
    answer = budget(Spent(**{**NOTHING, **spent}), Budget(**{**POLICY, **policy}))
    assert isinstance(answer, Refuse)
    assert answer.code == code
