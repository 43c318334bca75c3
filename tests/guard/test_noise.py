"""The limits of the questions that the service asks by itself."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from whet.config import ServicePolicy
from whet.guard.answer import Allow, Refuse
from whet.guard.noise import Asked, may_ask, may_ask_about_files, may_ask_about_lint

NOW = datetime(2026, 3, 2, tzinfo=UTC)
NOTHING = Asked(open_files={}, expired_in_a_row=0, began_at=NOW - timedelta(days=30), last_lint_at=None)
POLICY = ServicePolicy()
THREE = {"p-1": ["a.py"], "p-2": ["b.py"], "p-3": ["c.py"]}


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"began_at": NOW - timedelta(days=6)}, "dry_run"),
        ({"began_at": None}, "dry_run"),
        ({"expired_in_a_row": 2}, "nobody_answers"),
        ({"open_files": THREE}, "too_many_open"),
    ],
)
def test_no_question_is_asked(change: dict[str, object], code: str) -> None:
    answer = may_ask(replace(NOTHING, **change), POLICY, NOW)  # type: ignore[arg-type]
    assert isinstance(answer, Refuse)
    assert answer.code == code


@pytest.mark.parametrize(
    "change",
    [
        {},
        {"expired_in_a_row": 1},
        {"open_files": {"p-1": ["a.py"], "p-2": ["a.py"]}},
        {"began_at": NOW - timedelta(days=7)},
    ],
)
def test_a_question_may_be_asked(change: dict[str, object]) -> None:
    assert may_ask(replace(NOTHING, **change), POLICY, NOW) == Allow()  # type: ignore[arg-type]


def test_lint_is_proposed_once_a_week() -> None:
    asked = replace(NOTHING, last_lint_at=NOW - timedelta(days=6))
    assert isinstance(may_ask_about_lint(asked, POLICY, NOW), Refuse)
    assert may_ask_about_lint(asked, POLICY, NOW + timedelta(days=1)) == Allow()
    assert may_ask_about_lint(NOTHING, POLICY, NOW) == Allow()


def test_a_file_has_one_open_question() -> None:
    asked = replace(NOTHING, open_files={"p-1": ["a.py", "b.py"]})
    assert isinstance(may_ask_about_files(asked, ["b.py"], POLICY), Refuse)
    assert may_ask_about_files(asked, ["c.py"], POLICY) == Allow()
    assert may_ask_about_files(asked, ["b.py"], ServicePolicy(open_per_file=2)) == Allow()
