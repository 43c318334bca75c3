"""How a change to a tool can be tried, from what its author says of it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from whet.domain.risk import Risk


class Way(StrEnum):
    """From the one that shows the most to the one that shows nothing."""

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


def strategy(declared: Mapping[str, Any], recorded: int) -> Strategy:
    """`recorded` is how many of the tool's calls can be called again. What is not declared counts as the worse."""
    cases: Sequence[object] = declared.get("cases", ())
    harmless = declared.get("side_effects", True) is False or bool(declared.get("mocks"))
    warnings = tuple(_warnings(declared, recorded))
    tried = [f"declared cases: {len(cases)}"] if cases else []
    if harmless and recorded:
        tried = [f"recorded calls again in the sandbox: {recorded}", *tried]
        risk = Risk.LOW if cases else Risk.MEDIUM
        return Strategy(way=Way.REPLAY, risk=risk, steps=tuple(tried), warnings=warnings, deploys_itself=bool(cases))
    if cases:
        retried = declared.get("idempotent") is True
        return Strategy(
            way=Way.SYNTHETIC,
            risk=Risk.MEDIUM if retried else Risk.HIGH,
            steps=tuple(tried),
            warnings=warnings,
            deploys_itself=False,
        )
    return Strategy(
        way=Way.MANUAL,
        risk=Risk.CRITICAL,
        steps=("somebody tries it by hand",),
        warnings=warnings,
        deploys_itself=False,
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
