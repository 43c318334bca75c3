"""Simulate canaries: how often a good one is rolled back, and how often a bad one is, with a look after every call.

On the same calls, false alarms are compared with a z-test repeated after every call (what a person with a dashboard does),
and detection with a z-test that looks only once, at the end (the most powerful one). Then whole trials of an identical candidate
are run on traffic as it is, with few inputs, bursts and outages (`bench/traffic.py`). `python -m bench.canary RUNS` sets the
number of runs.
"""

import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from math import log

import numpy as np
from numpy.typing import NDArray

from bench import traffic
from bench.table import Row, show
from whet.statistics import rate
from whet.statistics.alpha_spending import too_many
from whet.statistics.arm import Arm
from whet.statistics.betting import average
from whet.statistics.canary import EARLY, harm, is_worse
from whet.statistics.mean import FEWEST, TYPICAL
from whet.statistics.moments import Moments

ALPHA = 0.05
CALLS = 4_000
WARM_UP = 1_000
AT_ONCE = 100
Numbers = NDArray[np.float64]
Counts = NDArray[np.int64]


@dataclass(frozen=True, kw_only=True)
class Scenario:
    """A control that fails in 2 % of its calls, and how the canary differs from it."""

    what: str
    errors: float = 0.02
    longer: float = 1.0
    stuck: float = 0.0
    share: float = 0.5

    @property
    def calls(self) -> int:
        """Return the number of calls of both arms together; twice as many if the split is uneven."""
        return CALLS if self.share == 0.5 else 2 * CALLS


@dataclass
class Rollbacks:
    """The numbers of runs rolled back by whet, by the repeated z-test and by the single z-test.

    `calls` are the numbers of calls of the canary after which whet rolled back.
    """

    runs: int = 0
    whet: int = 0
    repeated: int = 0
    once: int = 0
    calls: list[int] = field(default_factory=list)


NOTHING = (Scenario(what="A/A, half of the calls"), Scenario(what="A/A, a tenth of the calls", share=0.1))
SOMETHING = (
    Scenario(what="errors 2 % -> 4 %", errors=0.04),
    Scenario(what="10 % longer", longer=1.1),
    Scenario(what="slow calls 5 % -> 10 %", stuck=0.053),
)


class Simulation:
    """Many runs at once. Every array is runs by calls; a column is the state after that call."""

    def __init__(self, scenario: Scenario, runs: int, draw: np.random.Generator) -> None:
        shape = (runs, scenario.calls)
        self.scenario = scenario
        canary = draw.random(shape) < scenario.share
        failed = draw.random(shape) < np.where(canary, scenario.errors, 0.02)
        seconds = draw.lognormal(0.0, 0.5, shape) * np.where(canary, scenario.longer, 1.0)
        seconds *= np.where(canary & (draw.random(shape) < scenario.stuck), 5.0, 1.0)
        limit = np.quantile(draw.lognormal(0.0, 0.5, (runs, WARM_UP)), 0.95, axis=1)[:, None]
        self.control = Columns(~canary, failed, seconds > limit, np.log(seconds))
        self.canary = Columns(canary, failed, seconds > limit, np.log(seconds))

    def rollbacks(self) -> Iterator[int]:
        """Yield, for each run, the call after which whet's own test rolls back; -1 if it never does.

        An upper bound of the evidence is computed for all looks at once. whet's own function is then called, in order,
        for the looks at which the bound is high enough.
        """
        errors = evidence(self.canary.errors, self.control.errors, self.scenario.share)
        slow = evidence(self.canary.slow, self.control.slow, self.scenario.share)
        most = np.logaddexp(np.logaddexp(errors, slow), self._most_of_duration()) - log(3)
        maybe = self._early() | (most >= -log((1 - EARLY) * ALPHA))
        for run in range(len(most)):
            self._check_bound(run, float(most[run, -1]))
            yield next((int(look) for look in np.flatnonzero(maybe[run]) if self._rolls_back(run, int(look))), -1)

    def _rolls_back(self, run: int, look: int) -> bool:
        return is_worse(self.control.arm(run, look), self.canary.arm(run, look), self.scenario.share, ALPHA)

    def _early(self) -> NDArray[np.bool_]:
        never = self.scenario.calls + 1
        limits = np.array([never, *too_many(self.scenario.share, EARLY * ALPHA), never])
        errors = np.minimum(self.canary.errors + self.control.errors, len(limits) - 1)
        reached: NDArray[np.bool_] = self.canary.errors >= limits[errors]
        return reached

    def _check_bound(self, run: int, most: float) -> None:
        evidence = harm(self.control.arm(run, -1), self.canary.arm(run, -1), self.scenario.share)
        if average(list(evidence.values())) > most + 1e-6:
            raise AssertionError("the bound is below what it bounds")

    def _most_of_duration(self) -> Numbers:
        control, canary = self.control, self.canary
        with np.errstate(divide="ignore", invalid="ignore"):
            error = control.variance / control.calls + canary.variance / canary.calls
            z = (canary.sums / canary.calls - control.sums / control.calls) / np.sqrt(error)
            pooled = (control.deviations + canary.deviations) / (control.calls + canary.calls - 2)
            information = TYPICAL**2 * pooled / error
            most = (z * z * information / (1 + information) - np.log1p(information)) / 2 + log(2)
        return np.where(np.minimum(control.calls, canary.calls) < FEWEST, 0.0, np.where(z > 0, most, log(2)))

    def z_tests(self) -> NDArray[np.bool_]:
        """Return the looks at which a one-sided z-test, with alpha divided by the three metrics, rolls back."""
        return self._two_rates("errors") | self._two_rates("slow") | self._two_means()

    def _two_rates(self, name: str) -> NDArray[np.bool_]:
        control: Counts = getattr(self.control, name)
        canary: Counts = getattr(self.canary, name)
        with np.errstate(divide="ignore", invalid="ignore"):
            both = (control + canary) / (self.control.calls + self.canary.calls)
            error = np.sqrt(both * (1 - both) * (1 / self.control.calls + 1 / self.canary.calls))
            significant: NDArray[np.bool_] = (
                canary / self.canary.calls - control / self.control.calls
            ) / error > Z_OF_THREE
        return significant & self._enough()

    def _two_means(self) -> NDArray[np.bool_]:
        control, canary = self.control, self.canary
        with np.errstate(divide="ignore", invalid="ignore"):
            error = np.sqrt(control.variance / control.calls + canary.variance / canary.calls)
            significant = (canary.sums / canary.calls - control.sums / control.calls) / error > Z_OF_THREE
        return significant & self._enough()

    def _enough(self) -> NDArray[np.bool_]:
        return np.minimum(self.control.calls, self.canary.calls) >= FEWEST


Z_OF_THREE = 2.128045234184976
"""The normal quantile of 1 - 0.05/3."""


class Columns:
    """The counters of one arm after each call."""

    def __init__(self, mine: NDArray[np.bool_], failed: NDArray[np.bool_], slow: NDArray[np.bool_], x: Numbers) -> None:
        self.calls: Counts = np.cumsum(mine, axis=1)
        self.errors: Counts = np.cumsum(mine & failed, axis=1)
        self.slow: Counts = np.cumsum(mine & slow, axis=1)
        self.sums: Numbers = np.cumsum(np.where(mine, x, 0.0), axis=1)
        squares = np.cumsum(np.where(mine, x * x, 0.0), axis=1)
        with np.errstate(divide="ignore", invalid="ignore"):
            self.deviations: Numbers = squares - self.sums**2 / self.calls
            self.variance: Numbers = self.deviations / (self.calls - 1)

    def arm(self, run: int, look: int) -> Arm:
        calls = int(self.calls[run, look])
        moments = Moments(calls, float(self.sums[run, look]) / max(calls, 1), float(self.deviations[run, look]))
        return Arm(calls, int(self.errors[run, look]), int(self.slow[run, look]), moments)


def evidence(canary: Counts, control: Counts, share: float) -> Numbers:
    """Return the evidence of whet's test of two rates at every look, computed once for each pair of counts."""
    table = np.full((int(canary.max()) + 1, int(control.max()) + 1), np.nan)
    occurs = np.zeros(table.shape, dtype=bool)
    occurs[canary, control] = True
    for mine, others in zip(*np.nonzero(occurs), strict=True):
        table[mine, others] = evidence_of(int(mine), int(mine + others), share)
    return np.asarray(table[canary, control])


evidence_of = cache(rate.log_e_above)


def simulate(scenario: Scenario, runs: int) -> Rollbacks:
    draw = np.random.default_rng(20_240_229)
    rollbacks = Rollbacks()
    while rollbacks.runs < runs:
        simulation = Simulation(scenario, min(AT_ONCE, runs - rollbacks.runs), draw)
        tested = simulation.z_tests()
        stopped = [call for call in simulation.rollbacks() if call >= 0]
        rollbacks.runs += len(tested)
        rollbacks.whet += len(stopped)
        rollbacks.calls += [round(call * scenario.share) for call in stopped]
        rollbacks.repeated += int(tested.any(axis=1).sum())
        rollbacks.once += int(tested[:, -1].sum())
    return rollbacks


def measure(runs: int = 200) -> list[Row]:
    rows = []
    for scenario in NOTHING:
        result = simulate(scenario, runs)
        rows.append(_row(f"rolled back: {scenario.what}", result, "z-test at every call", result.repeated))
    for scenario in SOMETHING:
        result = simulate(scenario, runs)
        after = round(float(np.median(result.calls)), -1)
        rows.append(
            _row(f"caught: {scenario.what} (p50 {after:,.0f})", result, "z-test, one look at the end", result.once)
        )
    return [*rows, *traffic.measure(max(runs // 20, 5))]


def _row(what: str, result: Rollbacks, peer: str, peers: int) -> Row:
    figure = f"{result.whet / result.runs:.1%}"
    return Row("canary", what, figure, f"{peer} {peers / result.runs:.1%}", result.whet / max(peers, 1))


if __name__ == "__main__":
    print(show(measure(int(sys.argv[1]) if len(sys.argv) > 1 else 2_000)))
