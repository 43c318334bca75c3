"""How often the canary is taken back wrongly, and how often it is caught, with a look after every call.

Peers on the same calls: the z-test repeated after every call, which is what a dashboard and an impatient reader amount
to, for false alarms; and for detection a z-test that may look only once, at the end, which is the best that can be had
without looking. `python -m bench.canary RUNS` for another number of runs.
"""

import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from math import log

import numpy as np
from numpy.typing import NDArray

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
class World:
    """A control that fails in 2 % of its calls, and what is different about the canary."""

    what: str
    errors: float = 0.02
    longer: float = 1.0
    stuck: float = 0.0
    share: float = 0.5

    @property
    def calls(self) -> int:
        """With half of the traffic 2,000 per arm; with less the canary has fewer and the control more."""
        return CALLS if self.share == 0.5 else 2 * CALLS


@dataclass
class Counted:
    """How many runs were rolled back: by whet (after how many calls of the canary), by the repeated z-test, by the one
    that looks once."""

    runs: int = 0
    whet: int = 0
    repeated: int = 0
    once: int = 0
    calls: list[int] = field(default_factory=list)


NOTHING = (World(what="A/A, half of the calls"), World(what="A/A, a tenth of the calls", share=0.1))
SOMETHING = (
    World(what="errors 2 % -> 4 %", errors=0.04),
    World(what="10 % longer", longer=1.1),
    World(what="slow calls 5 % -> 10 %", stuck=0.053),
)


class Batch:
    """Runs side by side: every array is runs by calls, each column what a look after that call sees."""

    def __init__(self, world: World, runs: int, draw: np.random.Generator) -> None:
        shape = (runs, world.calls)
        self.world = world
        canary = draw.random(shape) < world.share
        failed = draw.random(shape) < np.where(canary, world.errors, 0.02)
        seconds = draw.lognormal(0.0, 0.5, shape) * np.where(canary, world.longer, 1.0)
        seconds *= np.where(canary & (draw.random(shape) < world.stuck), 5.0, 1.0)
        limit = np.quantile(draw.lognormal(0.0, 0.5, (runs, WARM_UP)), 0.95, axis=1)[:, None]
        self.control = Columns(~canary, failed, seconds > limit, np.log(seconds))
        self.canary = Columns(canary, failed, seconds > limit, np.log(seconds))

    def rollbacks(self) -> Iterator[int]:
        """For each run the call after which the shipped test rolled back; -1 if it never did.

        The evidence is bounded from above in bulk, and every look at which the bound could matter is asked of the
        shipped function, in order.
        """
        errors = evidence(self.canary.errors, self.control.errors, self.world.share)
        slow = evidence(self.canary.slow, self.control.slow, self.world.share)
        most = np.logaddexp(np.logaddexp(errors, slow), self._most_of_duration()) - log(3)
        maybe = self._early() | (most >= -log((1 - EARLY) * ALPHA))
        for run in range(len(most)):
            self._check_bound(run, float(most[run, -1]))
            yield next((int(look) for look in np.flatnonzero(maybe[run]) if self._shipped(run, int(look))), -1)

    def _shipped(self, run: int, look: int) -> bool:
        return is_worse(self.control.arm(run, look), self.canary.arm(run, look), self.world.share, ALPHA)

    def _early(self) -> NDArray[np.bool_]:
        never = self.world.calls + 1
        limits = np.array([never, *too_many(self.world.share, EARLY * ALPHA), never])
        errors = np.minimum(self.canary.errors + self.control.errors, len(limits) - 1)
        reached: NDArray[np.bool_] = self.canary.errors >= limits[errors]
        return reached

    def _check_bound(self, run: int, most: float) -> None:
        evidence = harm(self.control.arm(run, -1), self.canary.arm(run, -1), self.world.share)
        if average(list(evidence.values())) > most + 1e-6:
            raise AssertionError("the bound is below what it bounds")

    def _most_of_duration(self) -> Numbers:
        one, two = self.control, self.canary
        with np.errstate(divide="ignore", invalid="ignore"):
            error = one.variance / one.calls + two.variance / two.calls
            z = (two.sums / two.calls - one.sums / one.calls) / np.sqrt(error)
            pooled = (one.deviations + two.deviations) / (one.calls + two.calls - 2)
            information = TYPICAL**2 * pooled / error
            most = (z * z * information / (1 + information) - np.log1p(information)) / 2 + log(2)
        return np.where(np.minimum(one.calls, two.calls) < FEWEST, 0.0, np.where(z > 0, most, log(2)))

    def z_tests(self) -> NDArray[np.bool_]:
        """Where a one-sided z-test, at the same alpha shared by the three metrics, would roll back."""
        return self._two_rates("errors") | self._two_rates("slow") | self._two_means()

    def _two_rates(self, name: str) -> NDArray[np.bool_]:
        one: Counts = getattr(self.control, name)
        two: Counts = getattr(self.canary, name)
        with np.errstate(divide="ignore", invalid="ignore"):
            both = (one + two) / (self.control.calls + self.canary.calls)
            error = np.sqrt(both * (1 - both) * (1 / self.control.calls + 1 / self.canary.calls))
            found: NDArray[np.bool_] = (two / self.canary.calls - one / self.control.calls) / error > Z_OF_THREE
        return found & self._enough()

    def _two_means(self) -> NDArray[np.bool_]:
        one, two = self.control, self.canary
        with np.errstate(divide="ignore", invalid="ignore"):
            error = np.sqrt(one.variance / one.calls + two.variance / two.calls)
            found = (two.sums / two.calls - one.sums / one.calls) / error > Z_OF_THREE
        return found & self._enough()

    def _enough(self) -> NDArray[np.bool_]:
        return np.minimum(self.control.calls, self.canary.calls) >= FEWEST


Z_OF_THREE = 2.128045234184976
"""The normal quantile of 1 - 0.05/3."""


class Columns:
    """One arm's counters after each call."""

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
    """The shipped test of two rates at every look, computed once for each pair of counts that occurs."""
    table = np.full((int(canary.max()) + 1, int(control.max()) + 1), np.nan)
    occurs = np.zeros(table.shape, dtype=bool)
    occurs[canary, control] = True
    for mine, others in zip(*np.nonzero(occurs), strict=True):
        table[mine, others] = evidence_of(int(mine), int(mine + others), share)
    return np.asarray(table[canary, control])


evidence_of = cache(rate.log_e_above)


def simulate(world: World, runs: int) -> Counted:
    draw = np.random.default_rng(20_240_229)
    counted = Counted()
    while counted.runs < runs:
        batch = Batch(world, min(AT_ONCE, runs - counted.runs), draw)
        tested = batch.z_tests()
        stopped = [call for call in batch.rollbacks() if call >= 0]
        counted.runs += len(tested)
        counted.whet += len(stopped)
        counted.calls += [round(call * world.share) for call in stopped]
        counted.repeated += int(tested.any(axis=1).sum())
        counted.once += int(tested[:, -1].sum())
    return counted


def measure(runs: int = 200) -> list[Row]:
    rows = []
    for world in NOTHING:
        seen = simulate(world, runs)
        rows.append(_row(f"rolled back: {world.what}", seen, "z-test at every call", seen.repeated))
    for world in SOMETHING:
        seen = simulate(world, runs)
        after = round(float(np.median(seen.calls)), -1)
        rows.append(_row(f"caught: {world.what} (p50 {after:,.0f})", seen, "z-test, one look at the end", seen.once))
    return rows


def _row(what: str, seen: Counted, peer: str, peers: int) -> Row:
    figure = f"{seen.whet / seen.runs:.1%}"
    return Row("canary", what, figure, f"{peer} {peers / seen.runs:.1%}", seen.whet / max(peers, 1))


if __name__ == "__main__":
    print(show(measure(int(sys.argv[1]) if len(sys.argv) > 1 else 2_000)))
