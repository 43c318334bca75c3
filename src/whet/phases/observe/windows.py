"""Hours in which a tool was slow, or worse than it used to be by more than chance and by enough to matter.

A raw difference says nothing: with many calls any is certain, with few none is. So an hour counts where the effect is
large (Cohen's h of the error rates, d of the logarithms of the durations) and seen often enough to stand above noise.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from math import asin, exp, sqrt
from typing import Any

from whet.domain.payload import DegradedWindow, SlowWindow, ToolFacts
from whet.domain.recorded import Rollup
from whet.domain.signal import Signal

LEAST_CALLS = 30
SLOW_NS = 1_000_000_000
_LEAST_H, _LEAST_D, _LEAST_Z = 0.2, 0.5, 4.0
_RECENT = 6
_MOST = 5


def worse_windows(rollups: Sequence[Rollup], paths: Mapping[str, str]) -> Iterator[Signal]:
    """`paths`: where each tool's module lies in the repository."""
    by_tool: dict[str, list[Rollup]] = defaultdict(list)
    for row in rollups:
        if row.arm == "current" and row.calls >= LEAST_CALLS:
            by_tool[row.tool].append(row)
    for tool, rows in by_tool.items():
        rows.sort(key=lambda row: row.began_at)
        yield from _degraded(tool, rows, paths.get(tool, ""))
        yield from _slow(tool, rows, paths.get(tool, ""))


def _degraded(tool: str, rows: Sequence[Rollup], path: str) -> Iterator[Signal]:
    before, recent = rows[:-_RECENT], rows[-_RECENT:]
    if not before:
        return
    base = _Sums(before)
    for row in recent[-_MOST:]:
        now = _Sums([row])
        if words := _worse(base, now):
            payload = DegradedWindow(signature="degrading", summary=words, **_facts(tool, path, row))
            yield Signal.of("tools", tool, payload, row.began_at, _d(base, now))


def _slow(tool: str, rows: Sequence[Rollup], path: str) -> Iterator[Signal]:
    for row in rows[-_MOST:]:
        p95 = row.quantile_ns(0.95)
        if p95 is not None and p95 >= SLOW_NS:
            summary = f"one call in twenty takes {p95 / 1e9:.1f} s or more"
            payload = SlowWindow(signature="slow", summary=summary, **_facts(tool, path, row))
            yield Signal.of("tools", tool, payload, row.began_at, p95 / 1e9)


def _facts(tool: str, path: str, row: Rollup) -> dict[str, Any]:
    return {
        "tool": ToolFacts(name=tool, version=row.version, path=path),
        "calls": row.calls,
        "affected": max(row.errors, row.calls // 20),
        "why_not": "no engine without a model can make it quicker",
    }


class _Sums:
    def __init__(self, rows: Sequence[Rollup]) -> None:
        self.calls, self.errors = sum(row.calls for row in rows), sum(row.errors for row in rows)
        self.timed = sum(row.timed for row in rows)
        total, squares = sum(row.log_sum for row in rows), sum(row.log_squares for row in rows)
        self.mean = total / self.timed if self.timed else 0.0
        self.variance = max(squares / self.timed - self.mean**2, 0.0) if self.timed else 0.0

    @property
    def rate(self) -> float:
        return self.errors / self.calls if self.calls else 0.0


def _worse(base: _Sums, now: _Sums) -> str:
    if _h(base, now) >= _LEAST_H and _h(base, now) * sqrt(_weight(base.calls, now.calls)) >= _LEAST_Z:
        return f"{now.rate:.1%} of its calls fail, {base.rate:.1%} before"
    if _d(base, now) >= _LEAST_D and _d(base, now) * sqrt(_weight(base.timed, now.timed)) >= _LEAST_Z:
        return f"it takes {exp(now.mean - base.mean):.1f} times as long as before"
    return ""


def _weight(one: int, other: int) -> float:
    return one * other / (one + other) if one and other else 0.0


def _h(base: _Sums, now: _Sums) -> float:
    return 2 * asin(sqrt(now.rate)) - 2 * asin(sqrt(base.rate))


def _d(base: _Sums, now: _Sums) -> float:
    spread = sqrt((base.variance + now.variance) / 2)
    if not spread:
        return 0.0 if now.mean <= base.mean else _LEAST_D * 10
    return (now.mean - base.mean) / spread
