"""Measure the overhead of a call that is counted but not captured."""

from __future__ import annotations

from time import perf_counter_ns

from whet.runtime.characteristics import Characteristics
from whet.runtime.implementation import NEVER
from whet.runtime.tool import Tool

_CALLS, _ROUNDS = 200, 5


def measure_counted_ns() -> float:
    """Return the overhead in nanoseconds: the fastest of some rounds, because other threads run in between."""
    tool = Tool(_nothing, "whet.baseline", Characteristics())
    tool.implementation.due = NEVER
    return max(_fastest_ns(tool.function) - _fastest_ns(_nothing), 0.0)


def _fastest_ns(function: object) -> float:
    best = 1 << 62
    for _ in range(_ROUNDS):
        began = perf_counter_ns()
        for _ in range(_CALLS):
            function()  # type: ignore[operator] # both take no arguments
        best = min(best, perf_counter_ns() - began)
    return best / _CALLS


def _nothing() -> None:
    return None
