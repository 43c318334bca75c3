from typing import Any

import pytest

from whet.domain.risk import Risk
from whet.domain.strategy import Way, strategy

CASE = {"input": [1], "expected": 2}

ROWS = [
    ({"side_effects": False, "cases": [CASE]}, 5, Way.REPLAY, Risk.LOW, True),
    ({"side_effects": False, "idempotent": True, "safe_for_shadow": True}, 5, Way.REPLAY, Risk.MEDIUM, False),
    ({"side_effects": False, "idempotent": False, "safe_for_shadow": True}, 5, Way.REPLAY, Risk.MEDIUM, False),
    ({"side_effects": False, "idempotent": True, "safe_for_shadow": False}, 5, Way.REPLAY, Risk.MEDIUM, False),
    ({"side_effects": False, "cases": [CASE]}, 0, Way.SYNTHETIC, Risk.HIGH, False),
    ({"side_effects": False, "idempotent": True}, 0, Way.MANUAL, Risk.CRITICAL, False),
    ({"side_effects": True, "cases": [CASE], "idempotent": True}, 5, Way.SYNTHETIC, Risk.MEDIUM, False),
    ({"side_effects": True, "cases": [CASE]}, 5, Way.SYNTHETIC, Risk.HIGH, False),
    ({"side_effects": True, "idempotent": True, "safe_for_shadow": True}, 5, Way.MANUAL, Risk.CRITICAL, False),
    ({"side_effects": True, "mocks": ["smtplib.SMTP"]}, 5, Way.REPLAY, Risk.MEDIUM, False),
    ({}, 5, Way.MANUAL, Risk.CRITICAL, False),
    ({"side_effects": 0, "idempotent": 1}, 5, Way.MANUAL, Risk.CRITICAL, False),
]


@pytest.mark.parametrize(("declared", "recorded", "way", "risk", "deploys_itself"), ROWS)
def test_the_strategy_follows_from_the_declarations(
    declared: dict[str, Any], recorded: int, way: Way, risk: Risk, deploys_itself: bool
) -> None:
    result = strategy(declared, recorded)
    assert (result.way, result.risk, result.deploys_itself) == (way, risk, deploys_itself)
    assert result.steps


SAFE = {"safe_for_shadow": True}
SHADOWED = [
    ({**SAFE, "side_effects": False, "cases": [CASE]}, 5, Way.SHADOW, Risk.LOW, True),
    ({**SAFE, "side_effects": False}, 5, Way.SHADOW, Risk.MEDIUM, False),
    ({**SAFE, "side_effects": False, "cases": [CASE]}, 0, Way.SHADOW, Risk.MEDIUM, False),
    ({**SAFE, "side_effects": True, "cases": [CASE]}, 5, Way.SHADOW, Risk.MEDIUM, False),
    ({**SAFE}, 0, Way.SHADOW, Risk.MEDIUM, False),
    ({"side_effects": False, "safe_for_shadow": False, "cases": [CASE]}, 5, Way.REPLAY, Risk.LOW, True),
    ({"side_effects": False, "cases": [CASE]}, 5, Way.REPLAY, Risk.LOW, True),
    ({"side_effects": True, "cases": [CASE], "idempotent": True}, 5, Way.SYNTHETIC, Risk.MEDIUM, False),
    ({"safe_for_shadow": 1}, 5, Way.MANUAL, Risk.CRITICAL, False),
    ({}, 5, Way.MANUAL, Risk.CRITICAL, False),
]


@pytest.mark.parametrize(("declared", "recorded", "way", "risk", "deploys_itself"), SHADOWED)
def test_only_tools_declared_safe_for_shadow_are_shadowed(
    declared: dict[str, Any], recorded: int, way: Way, risk: Risk, deploys_itself: bool
) -> None:
    result = strategy(declared, recorded, shadows=True)
    assert (result.way, result.risk, result.deploys_itself) == (way, risk, deploys_itself)
    assert (result.steps[-1].startswith("live calls")) == (way is Way.SHADOW)


def test_warnings_name_what_the_declarations_lack() -> None:
    result = strategy({"side_effects": True, "requires": ["network"]}, 3)
    assert result.warnings == (
        "it has side effects, so its recorded calls are not called again",
        "it needs what the sandbox may not have: network",
        "it declares no cases: that a call no longer fails is shown, not that its answer is right",
    )
