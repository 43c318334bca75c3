"""Simulate days of hourly looks at one metric: how often nothing is called a drift, and how often a change is found.

`python -m bench.drift DAYS` sets the number of simulated days. A look compares the last 6 hours with the 18 before, as the sources
do. A false alarm is a day with at least one alarm in its 24 looks although nothing changed (A/A). The power is the share of days in
which a change that begins at hour 24 is found within 24 looks.
"""

import sys
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from whet.statistics.series.correlation import correlations
from whet.statistics.series.drift import rate_drift, trend_drift, value_drift

HOURS, RECENT, DAY = 24, 6, 24
LEAST = 0.05
Numbers = NDArray[np.float64]


@dataclass(frozen=True)
class Case:
    """A metric: `draw(generator, changed)` gives the values of an hour."""

    what: str
    draw: Callable[[np.random.Generator, bool], Numbers]
    alarm: Callable[[list[Numbers]], bool]


def _rate(base: float, changed: float, calls: int) -> Case:
    def draw(generator: np.random.Generator, has_changed: bool) -> Numbers:
        return generator.random(calls) < (changed if has_changed else base)  # type: ignore[return-value]

    def alarm(window: list[Numbers]) -> bool:
        before, recent = np.concatenate(window[:-RECENT]), np.concatenate(window[-RECENT:])
        counts = (int(before.sum()), len(before)), (int(recent.sum()), len(recent))
        return rate_drift(*counts, least=LEAST) is not None

    return Case(f"error rate {base:.0%} -> {changed:.0%}, {calls} calls an hour", draw, alarm)


def _latency(factor: float, calls: int) -> Case:
    def draw(generator: np.random.Generator, has_changed: bool) -> Numbers:
        return generator.lognormal(0.0, 0.7, calls) * (factor if has_changed else 1.0)

    def alarm(window: list[Numbers]) -> bool:
        before, recent = np.concatenate(window[:-RECENT]), np.concatenate(window[-RECENT:])
        return value_drift(before.tolist(), recent.tolist(), LEAST) is not None

    return Case(f"latency x {factor}, {calls} calls an hour", draw, alarm)


def days_with_alarm(case: Case, days: int, *, change: bool) -> float:
    generator = np.random.default_rng(1)
    alarms = 0
    for _ in range(days):
        hours = [case.draw(generator, False) for _ in range(HOURS)]
        for _look in range(DAY):
            hours = [*hours[1:], case.draw(generator, change)]
            if case.alarm(hours):
                alarms += 1
                break
    return alarms / days


def trends(days: int, slope: float) -> float:
    """Return the share of windows of 24 hourly means that are called a trend."""
    generator = np.random.default_rng(2)
    series = ((10 + slope * np.arange(HOURS) + generator.normal(0, 0.5, HOURS)).tolist() for _ in range(days))
    return sum(trend_drift(values, LEAST) is not None for values in series) / days


def correlated(days: int, share: float) -> float:
    """Return the share of days in which a pair among ten series is called correlated; `share` is what two have in common."""
    generator = np.random.default_rng(3)
    found = 0
    for _ in range(days):
        steps = generator.normal(0, 1, (10, HOURS))
        steps[1] = share * steps[0] + np.sqrt(1 - share**2) * steps[1]
        series = {str(number): np.cumsum(row).tolist() for number, row in enumerate(steps)}
        found += bool(correlations(series, 0.7))
    return found / days


def main(days: int) -> None:
    cases = [_rate(0.02, 0.10, 100), _rate(0.02, 0.10, 20), _latency(1.5, 100), _latency(2.0, 20)]
    figures = {f"A/A, {case.what}": days_with_alarm(case, days, change=False) for case in cases}
    figures |= {f"found, {case.what}": days_with_alarm(case, days, change=True) for case in cases}
    figures["A/A, trend of 24 hourly means"] = trends(days, 0.0)
    figures["found, trend of 1 % an hour with 5 % noise"] = trends(days, 0.1)
    figures["A/A, ten unrelated random walks correlate"] = correlated(days, 0.0)
    figures["found, two of ten have 0.9 in common"] = correlated(days, 0.9)
    for what, share in figures.items():
        print(f"{what:<60} {share:7.1%} of {days} days")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 200)
