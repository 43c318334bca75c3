"""How a change to a tool can be tried, from what its author says of it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from whet.domain.risk import Risk


class Way(StrEnum):
    """From the one that shows the most to the one that shows nothing."""

    SHADOW = "shadow"
    REPLAY = "replay"
    SYNTHETIC = "synthetic"
    MANUAL = "manual"


@dataclass(frozen=True, kw_only=True)
class Strategy:
    """`deploys_itself`: whether a person may be spared, where the policy spares them. Never for `manual`."""

    way: Way
    risk: Risk
    steps: tuple[str, ...]
    warnings: tuple[str, ...]
    deploys_itself: bool


def may_be_called_again(declared: Mapping[str, Any]) -> bool:
    """Whether recorded calls may be replayed. What is not declared counts as the worse, here and below."""
    return declared.get("side_effects", True) is False or bool(declared.get("mocks"))


def may_be_shadowed(declared: Mapping[str, Any]) -> bool:
    """Whether calls may be run a second time as they come in."""
    return declared.get("safe_for_shadow") is True


def strategy(declared: Mapping[str, Any], recorded: int, *, shadows: bool = False) -> Strategy:
    """`recorded` is how many of the tool's calls can be called again, `shadows` whether the policy has changes tried on
    live calls before they land."""
    cases: Sequence[object] = declared.get("cases", ())
    replayed = may_be_called_again(declared) and bool(recorded)
    shadowed = may_be_shadowed(declared) and shadows
    steps = [
        *([f"recorded calls again in the sandbox: {recorded}"] if replayed else []),
        *([f"declared cases: {len(cases)}"] if cases else []),
        *(["live calls a second time, in the sandbox, before it lands"] if shadowed else []),
    ]
    if shadowed or replayed:
        way, risk = Way.SHADOW if shadowed else Way.REPLAY, Risk.LOW if cases and replayed else Risk.MEDIUM
    elif cases:
        way, risk = Way.SYNTHETIC, Risk.MEDIUM if declared.get("idempotent") is True else Risk.HIGH
    else:
        way, risk = Way.MANUAL, Risk.CRITICAL
    return Strategy(
        way=way,
        risk=risk,
        steps=tuple(steps) or ("somebody tries it by hand",),
        warnings=tuple(_warnings(declared, recorded)),
        deploys_itself=bool(cases) and replayed,
    )


def _warnings(declared: Mapping[str, Any], recorded: int) -> Sequence[str]:
    found = []
    if mocks := declared.get("mocks"):
        found.append(f"what it does outside is replaced while it is called again: {', '.join(mocks)}")
    elif declared.get("side_effects", True) is not False:
        found.append("it has side effects, so its recorded calls are not called again")
    elif not recorded:
        found.append("none of its recorded calls can be called again")
    if requires := declared.get("requires"):
        found.append(f"it needs what the sandbox may not have: {', '.join(requires)}")
    if not declared.get("cases"):
        found.append("it declares no cases: that a call no longer fails is shown, not that its answer is right")
    return found
