"""Decide whether a metric drifts, with thresholds that keep hourly looks quiet (`bench/drift.py` has the figures)."""

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

from whet.statistics.series.trend import trend
from whet.statistics.series.two_windows import FEWEST, rank_shift, rate_interval

ALPHA = 0.001
"""The chance of a false alarm of one look at one metric. 24 looks a day share most of their data, so that a day's is lower than
24 times this."""
LEAST_DELTA = 0.33
"""Cliff's delta from which a difference is called medium (Romano, 2006)."""


@dataclass(frozen=True)
class Drift:
    """A metric that changed. `size` is the change: of a rate in its own unit, of values relative to the median before."""

    how: str
    before: float
    recent: float
    size: float


def rate_drift(before: tuple[int, int], recent: tuple[int, int], least: float, looks: int = 1) -> Drift | None:
    """Return the increase of a failure rate, each given as (failures, total); None if it is below `least` or may be chance.

    `looks` is the number of metrics that are looked at together.
    """
    if min(before[1], recent[1]) < FEWEST:
        return None
    was, is_now = before[0] / before[1], recent[0] / recent[1]
    low, _ = rate_interval(*before, *recent, alpha=ALPHA / looks)
    return Drift("rate", was, is_now, is_now - was) if low > 0 and is_now - was >= least else None


def value_drift(before: Sequence[float], recent: Sequence[float], least: float, looks: int = 1) -> Drift | None:
    """Return the change of a value's distribution; None if its median moved by less than the share `least`, if the effect is
    small, or if it may be chance."""
    shift = rank_shift(before, recent)
    if shift is None or abs(shift.delta) < LEAST_DELTA or shift.chance > ALPHA / looks:
        return None
    return _moved("median", median(before), median(recent), least)


def trend_drift(steps: Sequence[float], least: float, looks: int = 1) -> Drift | None:
    """Return a steady trend of equally spaced values; None if it changes less than the share `least` from the first to the
    last step, or may be chance."""
    found = trend(steps)
    if found is None or found.chance > ALPHA / looks:
        return None
    middle, half = median(steps), found.slope * (len(steps) - 1) / 2
    return _moved("trend", middle - half, middle + half, least)


def _moved(how: str, before: float, recent: float, least: float) -> Drift | None:
    size = (recent - before) / abs(before) if before else (1.0 if recent > 0 else -1.0 if recent < 0 else 0.0)
    return Drift(how, before, recent, size) if abs(size) >= least else None
