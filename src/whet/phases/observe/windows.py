"""Signals for hours in which a tool was slow, or clearly worse than before.

A difference alone is not enough: with many calls any difference is significant, with few calls none is. So an hour counts
if the effect is large (Cohen's h of the error rates, Cohen's d of the logarithms of the durations) and significant.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from math import asin, exp, sqrt
from typing import Any

from whet.domain.captured import Rollup
from whet.domain.payload import DegradedWindow, ObservedTool, SlowWindow
from whet.domain.signal import Signal

LEAST_CALLS = 30
SLOW_NS = 1_000_000_000
_LEAST_H, _LEAST_D, _LEAST_Z = 0.2, 0.5, 4.0
_RECENT_HOURS = 6
_MOST_SIGNALS = 5


def worse_windows(rollups: Sequence[Rollup], paths: Mapping[str, str]) -> Iterator[Signal]:
    """Yield a signal for each degraded or slow hour. `paths` are the files of the tools' modules in the repository."""
    by_tool: dict[str, list[Rollup]] = defaultdict(list)
    for row in rollups:
        if row.arm == "current" and row.calls >= LEAST_CALLS:
            by_tool[row.tool].append(row)
    for tool, rows in by_tool.items():
        rows.sort(key=lambda row: row.began_at)
        yield from _degraded(tool, rows, paths.get(tool, ""))
        yield from _slow(tool, rows, paths.get(tool, ""))


def _degraded(tool: str, rows: Sequence[Rollup], path: str) -> Iterator[Signal]:
    """Yield a signal for each recent hour that was worse than all hours before the recent ones."""
    before, recent = rows[:-_RECENT_HOURS], rows[-_RECENT_HOURS:]
    if not before:
        return
    base = _Sums(before)
    for row in recent[-_MOST_SIGNALS:]:
        now = _Sums([row])
        if description := _describe_if_worse(base, now):
            payload = DegradedWindow(signature="degrading", summary=description, **_facts(tool, path, row))
            yield Signal.of("tools", tool, payload, row.began_at, _cohens_d(base, now))


def _slow(tool: str, rows: Sequence[Rollup], path: str) -> Iterator[Signal]:
    for row in rows[-_MOST_SIGNALS:]:
        p95 = row.quantile_ns(0.95)
        if p95 is not None and p95 >= SLOW_NS:
            summary = f"one call in twenty takes {p95 / 1e9:.1f} s or more"
            payload = SlowWindow(signature="slow", summary=summary, **_facts(tool, path, row))
            yield Signal.of("tools", tool, payload, row.began_at, p95 / 1e9)


def _facts(tool: str, path: str, row: Rollup) -> dict[str, Any]:
    return {
        "tool": ObservedTool(name=tool, version=row.version, path=path),
        "calls": row.calls,
        "affected": max(row.errors, row.calls // 20),
        "why_not": "its captured calls are not timed again",
    }


class _Sums:
    """The totals of some hours."""

    def __init__(self, rows: Sequence[Rollup]) -> None:
        self.calls, self.errors = sum(row.calls for row in rows), sum(row.errors for row in rows)
        self.timed = sum(row.timed for row in rows)
        total, squares = sum(row.log_sum for row in rows), sum(row.log_squares for row in rows)
        self.mean = total / self.timed if self.timed else 0.0
        self.variance = max(squares / self.timed - self.mean**2, 0.0) if self.timed else 0.0

    @property
    def rate(self) -> float:
        return self.errors / self.calls if self.calls else 0.0


def _describe_if_worse(base: _Sums, now: _Sums) -> str:
    """Return how `now` is worse than `base`, or '' if it is not, or not by enough."""
    h, d = _cohens_h(base, now), _cohens_d(base, now)
    if h >= _LEAST_H and h * sqrt(_weight(base.calls, now.calls)) >= _LEAST_Z:
        return f"{now.rate:.1%} of its calls fail, {base.rate:.1%} before"
    if d >= _LEAST_D and d * sqrt(_weight(base.timed, now.timed)) >= _LEAST_Z:
        return f"it takes {exp(now.mean - base.mean):.1f} times as long as before"
    return ""


def _weight(before: int, now: int) -> float:
    """Return the effective sample size of a comparison of two samples."""
    return before * now / (before + now) if before and now else 0.0


def _cohens_h(base: _Sums, now: _Sums) -> float:
    return 2 * asin(sqrt(now.rate)) - 2 * asin(sqrt(base.rate))


def _cohens_d(base: _Sums, now: _Sums) -> float:
    spread = sqrt((base.variance + now.variance) / 2)
    if not spread:
        return 0.0 if now.mean <= base.mean else _LEAST_D * 10  # no variance: any increase is a large effect
    return (now.mean - base.mean) / spread
