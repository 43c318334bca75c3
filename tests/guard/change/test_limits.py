from collections.abc import Callable
from typing import Any

import pytest

from whet.config import Config, GuardPolicy
from whet.domain.change import Change
from whet.guard.answer import Allow, GuardAnswer, Refuse
from whet.guard.change import limits
from whet.guard.change.submission import Submission

Touch = Callable[..., Change]
Submit = Callable[..., Submission]
Rule = Callable[[Submission], GuardAnswer]

TIGHT = Config(guard=GuardPolicy(max_files=2, max_lines=10, max_new_files=1, max_deleted_files=1))
ALLOWED: list[tuple[Rule, list[dict[str, Any]]]] = [
    (limits.empty_change, [{}]),
    (limits.too_many_files, [{}, {}]),
    (limits.too_many_lines, [{"added_lines": 10, "removed_lines": 0}]),
    (limits.too_many_lines, [{"added_lines": 2, "removed_lines": 3}, {"added_lines": 5, "removed_lines": 0}]),
    (limits.too_many_new_files, [{"status": "added"}, {}, {"status": "deleted"}]),
    (limits.too_many_deleted_files, [{"status": "deleted"}, {}, {"status": "added"}]),
]
REFUSED: list[tuple[Rule, list[dict[str, Any]], str]] = [
    (limits.empty_change, [], "empty_change"),
    (limits.too_many_files, [{}, {}, {}], "too_many_files"),
    (limits.too_many_files, [{"status": "deleted"}, {"status": "added"}, {}], "too_many_files"),
    (limits.too_many_lines, [{"added_lines": 11, "removed_lines": 0}], "too_many_lines"),
    (limits.too_many_lines, [{"added_lines": 0, "removed_lines": 11}], "too_many_lines"),
    (limits.too_many_lines, [{"added_lines": 6, "removed_lines": 5}], "too_many_lines"),
    (limits.too_many_lines, [{"added_lines": 6, "removed_lines": 0}, {"added_lines": 5}], "too_many_lines"),
    (limits.too_many_lines, [{"added_lines": 11, "status": "deleted"}], "too_many_lines"),
    (limits.too_many_new_files, [{"status": "added"}, {"status": "added"}], "too_many_new_files"),
    (limits.too_many_deleted_files, [{"status": "deleted"}, {"status": "deleted"}], "too_many_deleted_files"),
]


@pytest.mark.parametrize(("rule", "changes"), ALLOWED)
def test_a_change_within_the_limits_is_allowed(
    rule: Rule, changes: list[dict[str, Any]], touch: Touch, submit: Submit
) -> None:
    assert rule(submit(*(touch(**change) for change in changes), policy=TIGHT)) == Allow()


@pytest.mark.parametrize(("rule", "changes", "code"), REFUSED)
def test_a_change_beyond_a_limit_is_refused(
    rule: Rule, changes: list[dict[str, Any]], code: str, touch: Touch, submit: Submit
) -> None:
    answer = rule(submit(*(touch(**change) for change in changes), policy=TIGHT))
    assert isinstance(answer, Refuse)
    assert answer.code == code


def test_deletions_are_refused_by_default(touch: Touch, submit: Submit) -> None:
    answer = limits.too_many_deleted_files(submit(touch(status="deleted")))
    assert answer == Refuse("the change has 1 deleted file; the policy allows 0", "too_many_deleted_files")


TEXT: list[dict[str, Any]] = [
    {},
    {"added_lines": 0},
    {"removed_lines": 0},
    {"status": "added", "added_lines": 0, "removed_lines": 0},
    {"status": "deleted", "added_lines": 0, "removed_lines": 0},
    {"added_lines": 0, "removed_lines": 0, "new_blob": "a" * 40, "new_mode": "100755"},
]
NOT_TEXT: list[tuple[dict[str, Any], str]] = [
    ({"binary": True}, "binary_file"),
    ({"binary": None}, "binary_file"),
    ({"binary": True, "status": "deleted"}, "binary_file"),
    ({"added_lines": -1}, "lines_unknown"),
    ({"removed_lines": -1}, "lines_unknown"),
    ({"added_lines": None}, "lines_unknown"),
    ({"removed_lines": "-"}, "lines_unknown"),
    ({"added_lines": float("nan")}, "lines_unknown"),
    ({"added_lines": 0, "removed_lines": 0}, "lines_unknown"),
]


@pytest.mark.parametrize("fields", TEXT)
def test_counted_text_is_allowed(fields: dict[str, Any], touch: Touch, submit: Submit) -> None:
    assert limits.uncounted_lines(touch(**fields), submit()) == Allow()


@pytest.mark.parametrize(("fields", "code"), NOT_TEXT)
def test_binary_and_uncounted_files_are_refused(
    fields: dict[str, Any], code: str, touch: Touch, submit: Submit
) -> None:
    answer = limits.uncounted_lines(touch(**fields), submit())
    assert isinstance(answer, Refuse)
    assert answer.code == code


def test_uncounted_lines_do_not_lower_the_sum(touch: Touch, submit: Submit) -> None:
    changes = [touch(added_lines=11, removed_lines=0), touch(added_lines=-100), touch(added_lines=None)]
    assert isinstance(limits.too_many_lines(submit(*changes, policy=TIGHT)), Refuse)
