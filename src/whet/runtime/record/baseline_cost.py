"""What a call costs that is only counted."""

from __future__ import annotations

from time import perf_counter_ns

from whet.runtime.implementation import NEVER
from whet.runtime.tool import Characteristics, Tool

_CALLS, _ROUNDS = 200, 5


def floor_ns() -> float:
    """The best of some rounds: the host's threads come in between."""
    tool = Tool(_nothing, "whet.floor", Characteristics())
    tool.implementation.due = NEVER
    return max(_each(tool.function) - _each(_nothing), 0.0)


def _each(function: object) -> float:
    best = 1 << 62
    for _ in range(_ROUNDS):
        began = perf_counter_ns()
        for _ in range(_CALLS):
            function()  # type: ignore[operator] # both take nothing
        best = min(best, perf_counter_ns() - began)
    return best / _CALLS


def _nothing() -> None:
    return None
