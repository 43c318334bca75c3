"""Simulate trials of an identical candidate on traffic as it is: few inputs, repeated ones, bursts, outages.

The calls are divided by whet's own routing and judged by its own `decide_canary` and `decide_ab`. Every rollback of an
identical candidate, every promotion by an A/B trial and every "broken split" is a false decision.
"""

import sys
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bench.table import Row, show
from whet.domain.decision import Decision, State
from whet.domain.execution import EVERY_ARGUMENT
from whet.domain.version import CANDIDATE, Mode, Split, arm_and_unit
from whet.runtime.characteristics import Characteristics
from whet.runtime.reload.routing import Routing
from whet.runtime.tool import Tool
from whet.statistics.ab import decide_ab
from whet.statistics.arm import Arm
from whet.statistics.by_key import is_by_key
from whet.statistics.canary import decide_canary
from whet.statistics.looks import Looks
from whet.statistics.moments import Moments
from whet.statistics.terms import Terms

CALLS = 20_000
LOOKS = 60
WARM_UP = 2_000
Numbers = NDArray[np.float64]
Flags = NDArray[np.bool_]
Inputs = NDArray[np.int64]


@dataclass(frozen=True, kw_only=True)
class Traffic:
    """The calls of one kind of trial: how many different inputs there are, how often each comes, and what fails."""

    inputs: int
    zipf: bool = False
    fails: str = "2 %"
    mode: Mode = Mode.CANARY
    key: str = ""
    calls: int = CALLS
    share_of_canary: float = 0.1

    @property
    def share(self) -> float:
        return self.share_of_canary if self.mode is Mode.CANARY else 0.5

    def __str__(self) -> str:
        how = "per input" if self.key else "per call"
        return f"{self.mode.value} {how}, {self.inputs} inputs {'Zipf' if self.zipf else 'even'}, {self.fails}"


FAILS = ("2 %", "one input always", "bursts", "outage of one input", "outage")


def calls_of(traffic: Traffic, calls: int, draw: np.random.Generator) -> tuple[Inputs, Flags, Numbers]:
    """Return the input of each call, which calls fail, and how long they take. The version makes no difference."""
    weights = 1 / np.arange(1, traffic.inputs + 1) if traffic.zipf else np.ones(traffic.inputs)
    weights /= weights.sum()
    if traffic.fails == "bursts":  # one input is called some twenty times, then another
        bursts = draw.choice(traffic.inputs, calls, p=weights)
        inputs = np.repeat(bursts, draw.geometric(0.05, calls))[:calls]
        rate = np.where(draw.random(traffic.inputs) < 0.2, 0.3, 0.01)[inputs]
    else:
        inputs = draw.choice(traffic.inputs, calls, p=weights)
        rate = np.full(calls, 0.02)
    failed = draw.random(calls) < rate
    if traffic.fails == "one input always":
        failed |= inputs == draw.integers(traffic.inputs)
    if traffic.fails.startswith("outage"):
        begins = draw.integers(calls * 4 // 5)
        away = np.zeros(calls, dtype=bool)
        away[begins : begins + calls // 10] = True
        failed |= away & (inputs == draw.choice(traffic.inputs, p=weights)) if "input" in traffic.fails else away
    seconds = draw.lognormal(0.0, 0.3, calls) * draw.lognormal(0.0, 0.5, traffic.inputs)[inputs]
    return inputs, failed, np.log(seconds)


def arms_of(traffic: Traffic, inputs: Inputs, run: int) -> tuple[Flags, Inputs]:
    """Return for each call if the candidate gets it, and its group of keys (-1 if it is drawn by itself)."""
    characteristics = Characteristics(key=traffic.key)
    tool, candidate = (Tool(_answer, "bench.answer", characteristics) for _ in range(2))
    split = Split(mode=traffic.mode, share=traffic.share, salt=f"trial {run}")
    routing = Routing(tool, candidate, "new", split, lambda _why: None)
    if not traffic.key:
        drawn = [routing.route((), {}).arm == CANDIDATE for _ in inputs]
        return np.array(drawn), np.full(len(inputs), -1)
    of_input = [arm_and_unit(routing.route((number,), {}).arm) for number in range(traffic.inputs)]
    new = np.array([arm == CANDIDATE for arm, _ in of_input])
    unit = np.array([int(unit) for _, unit in of_input])
    return new[inputs], unit[inputs]


def _answer(value: int) -> int:
    return value


def arm(calls: Flags, failed: Flags, slow: Flags, logs: Numbers, units: Inputs) -> Arm:
    """Return the counters of the flagged calls."""
    chosen = logs[calls]
    count = len(chosen)
    moments = Moments(count, float(chosen.mean()), float(chosen.var() * count)) if count else Moments()
    whole = Arm(count, int(failed[calls].sum()), int(slow[calls].sum()), moments)
    parts = [
        arm(calls & (units == unit), failed, slow, logs, np.full(len(units), -1)) for unit in _groups(calls, units)
    ]
    return replace(whole, units=tuple(parts))


def _groups(calls: Flags, units: Inputs) -> list[int]:
    return [int(unit) for unit in np.unique(units[calls]) if unit >= 0]


def trial(traffic: Traffic, run: int, draw: np.random.Generator, terms: Terms) -> Decision:
    """Run one trial, with looks as whet takes them, and return its decision."""
    inputs, failed, logs = calls_of(traffic, WARM_UP + traffic.calls, draw)
    limit = float(np.quantile(logs[:WARM_UP], 0.95))
    inputs, failed, logs = inputs[WARM_UP:], failed[WARM_UP:], logs[WARM_UP:]
    new, units = arms_of(traffic, inputs, run)
    slow, looks = logs > limit, Looks()
    decide: Callable[..., Decision] = decide_canary if traffic.mode is Mode.CANARY else decide_ab
    for look in np.unique(np.geomspace(20, traffic.calls, LOOKS).astype(int)):
        at, over = slice(0, look), bool(look == traffic.calls)
        if traffic.key and not looks.is_due(int(look), time_is_up=over):
            continue
        old_arm, new_arm = (arm(flags, failed[at], slow[at], logs[at], units[at]) for flags in (~new[at], new[at]))
        by_key = is_by_key(old_arm, new_arm)
        spent = replace(terms, alpha=looks.part(terms.alpha)) if by_key else terms
        decision = decide(old_arm, new_arm, traffic.share, spent, time_is_up=over)
        if decision.state is not State.HOLD:
            return decision
    raise AssertionError("a trial whose time is up must end")


def is_false(traffic: Traffic, decision: Decision) -> bool:
    """True if the decision about an identical candidate is wrong. Not to decide is no false decision."""
    if decision.state is State.INCONCLUSIVE:
        return "broken" in decision.why
    return decision.state is State.ROLLBACK or traffic.mode is Mode.AB


def simulate(traffic: Traffic, runs: int, terms: Terms | None = None) -> Counter[str]:
    """Return how the trials ended: by state, and how many decisions were false."""
    draw = np.random.default_rng(20_261_118)
    ends: Counter[str] = Counter()
    for run in range(runs):
        decision = trial(traffic, run, draw, terms or Terms())
        ends[decision.state.value] += 1
        ends["false"] += is_false(traffic, decision)
        ends["says what is missing"] += "needs" in decision.why or "too few" in decision.why
    return ends


def all_traffic() -> Iterator[Traffic]:
    """Yield every kind of traffic that is tried."""
    kinds: Any = product((Mode.CANARY, Mode.AB), ("", EVERY_ARGUMENT), (5, 20, 100, 1000), (False, True), FAILS)
    for mode, key, inputs, zipf, fails in kinds:
        yield Traffic(inputs=inputs, zipf=zipf, fails=fails, mode=mode, key=key)


def measure(runs: int = 20) -> list[Row]:
    """Return the false decisions of each way to divide calls, over all kinds of traffic, and the worst of the kinds."""
    ends = {traffic: simulate(traffic, runs) for traffic in all_traffic()}
    rows = []
    for mode, key in product((Mode.CANARY, Mode.AB), ("", EVERY_ARGUMENT)):
        kinds = [traffic for traffic in ends if (traffic.mode, traffic.key) == (mode, key)]
        false = sum(ends[traffic]["false"] for traffic in kinds) / (runs * len(kinds))
        worst = max(kinds, key=lambda traffic: ends[traffic]["false"])
        what = f"false decisions: {mode.value} {'per input' if key else 'per call'}, {len(kinds)} kinds of traffic"
        rows.append(
            Row("traffic", what, f"{false:.1%}", f"worst {ends[worst]['false'] / runs:.1%}: {worst}", false / 0.05)
        )
    for share, calls in ((0.1, 30_000), (0.5, 10_000)):
        good = simulate(Traffic(inputs=1000, calls=calls, share_of_canary=share), runs * 5)
        promoted = good[State.PROMOTE.value] / (runs * 5)
        said = good["says what is missing"] / (runs * 5)
        what = f"identical canary promoted: 2 % errors, {share:.0%} of {calls:,} calls"
        rows.append(Row("traffic", what, f"{promoted:.1%}", f"{said:.1%} say how many calls are missing", promoted))
    return rows


if __name__ == "__main__":
    print(show(measure(int(sys.argv[1]) if len(sys.argv) > 1 else 100)))
