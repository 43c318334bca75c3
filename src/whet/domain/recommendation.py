"""`Recommendation`: how a change to a tool can be tested, derived from what the tool's author declared about it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from whet.domain.plural import count
from whet.domain.risk import Risk


class Exercise(StrEnum):
    """The way to exercise a changed tool before it is deployed, from the most convincing way to none at all.

    `shadow`: on live calls, run a second time in the sandbox. `replay`: on captured calls. `synthetic`: on declared cases
    only. `manual`: not by whet.
    """

    SHADOW = "shadow"
    REPLAY = "replay"
    SYNTHETIC = "synthetic"
    MANUAL = "manual"


@dataclass(frozen=True, kw_only=True)
class Recommendation:
    """The way to test a change to a tool, the risk of deploying it, and warnings.

    `may_deploy_itself` is True if the change may be deployed without a person, provided that the policy allows that.
    """

    exercise: Exercise
    risk: Risk
    steps: tuple[str, ...]
    warnings: tuple[str, ...]
    may_deploy_itself: bool


def may_replay(characteristics: Mapping[str, Any]) -> bool:
    """True if captured calls may be run again: the tool has no side effects, or mocks replace them.

    A characteristic that is not declared counts as the riskier value, here and below.
    """
    return characteristics.get("side_effects", True) is False or bool(characteristics.get("mocks"))


def may_shadow(characteristics: Mapping[str, Any]) -> bool:
    """True if live calls may be run a second time."""
    return characteristics.get("safe_for_shadow") is True


def recommend(characteristics: Mapping[str, Any], replayable_calls: int, *, shadows: bool = False) -> Recommendation:
    """Recommend how to test a change to a tool.

    `replayable_calls` is the number of captured calls that can be run again, and `shadows` is True if the policy tries
    changes on live calls before it deploys them.
    """
    cases: Sequence[object] = characteristics.get("cases", ())
    replayed = may_replay(characteristics) and replayable_calls > 0
    shadowed = may_shadow(characteristics) and shadows
    if shadowed or replayed:
        exercise = Exercise.SHADOW if shadowed else Exercise.REPLAY
        risk = Risk.LOW if cases and replayed else Risk.MEDIUM
    elif cases:
        exercise = Exercise.SYNTHETIC
        risk = Risk.MEDIUM if characteristics.get("idempotent") is True else Risk.HIGH
    else:
        exercise, risk = Exercise.MANUAL, Risk.CRITICAL
    steps = []
    if replayed:
        steps.append(f"replay {count(replayable_calls, 'captured call')} in the sandbox")
    if cases:
        steps.append(f"run {count(len(cases), 'declared case')} in the sandbox")
    if shadowed:
        steps.append("run live calls a second time in the sandbox before the change is deployed")
    return Recommendation(
        exercise=exercise,
        risk=risk,
        steps=tuple(steps) or ("let a person try the change by hand",),
        warnings=tuple(_warnings(characteristics, replayable_calls)),
        may_deploy_itself=bool(cases) and replayed,
    )


def _warnings(characteristics: Mapping[str, Any], replayable_calls: int) -> list[str]:
    warnings = []
    if mocks := characteristics.get("mocks"):
        warnings.append(f"in a replay its effects outside are replaced by mocks: {', '.join(mocks)}")
    elif characteristics.get("side_effects", True) is not False:
        warnings.append("it has side effects, so its captured calls are not replayed")
    elif not replayable_calls:
        warnings.append("none of its captured calls can be replayed")
    if requires := characteristics.get("requires"):
        warnings.append(f"the sandbox may lack what it requires: {', '.join(requires)}")
    if not characteristics.get("cases"):
        warnings.append(
            "it declares no cases: a replay shows that a call no longer fails, not that its answer is right"
        )
    return warnings
