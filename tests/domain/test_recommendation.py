from typing import Any

import pytest

from whet.domain.recommendation import Exercise, recommend
from whet.domain.risk import Risk

CASE = {"input": [1], "expected": 2}

ROWS = [
    ({"side_effects": False, "cases": [CASE]}, 5, Exercise.REPLAY, Risk.LOW, True),
    ({"side_effects": False, "idempotent": True, "safe_for_shadow": True}, 5, Exercise.REPLAY, Risk.MEDIUM, False),
    ({"side_effects": False, "idempotent": False, "safe_for_shadow": True}, 5, Exercise.REPLAY, Risk.MEDIUM, False),
    ({"side_effects": False, "idempotent": True, "safe_for_shadow": False}, 5, Exercise.REPLAY, Risk.MEDIUM, False),
    ({"side_effects": False, "cases": [CASE]}, 0, Exercise.SYNTHETIC, Risk.HIGH, False),
    ({"side_effects": False, "idempotent": True}, 0, Exercise.MANUAL, Risk.CRITICAL, False),
    ({"side_effects": True, "cases": [CASE], "idempotent": True}, 5, Exercise.SYNTHETIC, Risk.MEDIUM, False),
    ({"side_effects": True, "cases": [CASE]}, 5, Exercise.SYNTHETIC, Risk.HIGH, False),
    ({"side_effects": True, "idempotent": True, "safe_for_shadow": True}, 5, Exercise.MANUAL, Risk.CRITICAL, False),
    ({"side_effects": True, "mocks": ["smtplib.SMTP"]}, 5, Exercise.REPLAY, Risk.MEDIUM, False),
    ({}, 5, Exercise.MANUAL, Risk.CRITICAL, False),
    ({"side_effects": 0, "idempotent": 1}, 5, Exercise.MANUAL, Risk.CRITICAL, False),
]


@pytest.mark.parametrize(("declared", "recorded", "exercise", "risk", "may_deploy_itself"), ROWS)
def test_the_exercise_follows_from_the_declared_characteristics(
    declared: dict[str, Any], recorded: int, exercise: Exercise, risk: Risk, may_deploy_itself: bool
) -> None:
    recommendation = recommend(declared, recorded)
    assert (recommendation.exercise, recommendation.risk, recommendation.may_deploy_itself) == (
        exercise,
        risk,
        may_deploy_itself,
    )
    assert recommendation.steps


SAFE = {"safe_for_shadow": True}
SHADOWED = [
    ({**SAFE, "side_effects": False, "cases": [CASE]}, 5, Exercise.SHADOW, Risk.LOW, True),
    ({**SAFE, "side_effects": False}, 5, Exercise.SHADOW, Risk.MEDIUM, False),
    ({**SAFE, "side_effects": False, "cases": [CASE]}, 0, Exercise.SHADOW, Risk.MEDIUM, False),
    ({**SAFE, "side_effects": True, "cases": [CASE]}, 5, Exercise.SHADOW, Risk.MEDIUM, False),
    ({**SAFE}, 0, Exercise.SHADOW, Risk.MEDIUM, False),
    ({"side_effects": False, "safe_for_shadow": False, "cases": [CASE]}, 5, Exercise.REPLAY, Risk.LOW, True),
    ({"side_effects": False, "cases": [CASE]}, 5, Exercise.REPLAY, Risk.LOW, True),
    ({"side_effects": True, "cases": [CASE], "idempotent": True}, 5, Exercise.SYNTHETIC, Risk.MEDIUM, False),
    ({"safe_for_shadow": 1}, 5, Exercise.MANUAL, Risk.CRITICAL, False),
    ({}, 5, Exercise.MANUAL, Risk.CRITICAL, False),
]


@pytest.mark.parametrize(("declared", "recorded", "exercise", "risk", "may_deploy_itself"), SHADOWED)
def test_under_a_shadow_policy_only_tools_declared_safe_are_shadowed(
    declared: dict[str, Any], recorded: int, exercise: Exercise, risk: Risk, may_deploy_itself: bool
) -> None:
    recommendation = recommend(declared, recorded, shadows=True)
    assert (recommendation.exercise, recommendation.risk, recommendation.may_deploy_itself) == (
        exercise,
        risk,
        may_deploy_itself,
    )
    assert (recommendation.steps[-1].startswith("run live calls")) == (exercise is Exercise.SHADOW)


def test_missing_safety_is_warned_of() -> None:
    recommendation = recommend({"side_effects": True, "requires": ["network"]}, 3)
    assert recommendation.warnings == (
        "it has side effects, so its captured calls are not replayed",
        "the sandbox may lack what it requires: network",
        "it declares no cases: a replay shows that a call no longer fails, not that its answer is right",
    )


def test_the_steps_name_every_exercise_in_order() -> None:
    declared = {"side_effects": False, "safe_for_shadow": True, "cases": [CASE, CASE]}
    assert recommend(declared, 1, shadows=True).steps == (
        "replay 1 captured call in the sandbox",
        "run 2 declared cases in the sandbox",
        "run live calls a second time in the sandbox before the change is deployed",
    )
    assert recommend({}, 0).steps == ("let a person try the change by hand",)
