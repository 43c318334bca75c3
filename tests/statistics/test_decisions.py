"""For each decision: counts on which it must act, and counts on which it must hold."""

import time
from dataclasses import replace

import pytest

from tests.statistics.drawn import given, real, whole
from tests.statistics.samples import arm
from whet.domain.canonical import canonical, to_plain
from whet.domain.decision import Decision, State
from whet.statistics.ab import decide_ab
from whet.statistics.arm import Arm, Pairs
from whet.statistics.canary import decide_canary
from whet.statistics.moments import Moments
from whet.statistics.shadow import decide_shadow
from whet.statistics.terms import Terms
from whet.statistics.watch import decide_watch
from whet.store.codec import decode

TERMS = Terms()
GOOD = arm(4_000, 40, 200)

CANARY_ACTS = [
    (arm(2_000, 40, 100), arm(2_000, 85, 100), State.ROLLBACK, "failed"),
    (arm(2_000, 40, 100), arm(2_000, 40, 200), State.ROLLBACK, "slow"),
    (arm(2_000, 40, 100), arm(2_000, 40, 100, log_seconds=0.2), State.ROLLBACK, "1.22 times as long"),
    (arm(15, 0, 1), arm(15, 15, 1), State.ROLLBACK, "failed"),
    (GOOD, GOOD, State.PROMOTE, "fewer than 1.0% more errors"),
    (arm(2_000, 200, 100), arm(2_000, 20, 50), State.PROMOTE, "at most 10% longer"),
    (arm(2_000, 40), arm(1_500, 30), State.INCONCLUSIVE, "the split is broken"),
]
CANARY_HOLDS = [
    (Arm(), Arm()),
    (arm(500), Arm()),
    (Arm(), arm(500)),
    (arm(100), arm(100)),
    (arm(3, 0), arm(3, 3)),
    (arm(400, 8, 20), arm(400, 12, 24)),
    (arm(2_000, 40, 100), arm(2_000, 50, 110)),
]


@pytest.mark.parametrize(("control", "canary", "state", "why"), CANARY_ACTS)
def test_a_canary_is_decided(control: Arm, canary: Arm, state: State, why: str) -> None:
    decision = decide_canary(control, canary, 0.5, TERMS, time_is_up=False)
    assert decision.state is state
    assert why in decision.why


@pytest.mark.parametrize(("control", "canary"), CANARY_HOLDS)
def test_a_canary_holds(control: Arm, canary: Arm) -> None:
    assert decide_canary(control, canary, 0.5, TERMS, time_is_up=False).state is State.HOLD


def test_a_canary_with_a_small_share_is_compared_with_that_share() -> None:
    decision = decide_canary(arm(9_000, 180, 450), arm(1_000, 20, 50), 0.1, TERMS, time_is_up=False)
    assert decision.state is State.HOLD
    assert decide_canary(arm(9_000, 180, 450), arm(1_000, 55, 50), 0.1, TERMS, time_is_up=False).state is State.ROLLBACK


AB_ACTS = [
    (arm(2_000, 100, 100), arm(2_000, 40, 100), State.PROMOTE),
    (arm(2_000, 40, 100, log_seconds=0.3), arm(2_000, 40, 100), State.PROMOTE),
    (arm(2_000, 40, 100), arm(2_000, 100, 100), State.ROLLBACK),
    (arm(2_000, 100, 100), arm(2_000, 40, 100, log_seconds=0.3), State.ROLLBACK),
    (arm(2_000, 40), arm(1_000, 20), State.INCONCLUSIVE),
]
AB_HOLDS = [(Arm(), Arm()), (arm(500), Arm()), (arm(2_000, 40, 100), arm(2_000, 35, 90)), (GOOD, GOOD)]


@pytest.mark.parametrize(("control", "candidate", "state"), AB_ACTS)
def test_an_ab_trial_is_decided(control: Arm, candidate: Arm, state: State) -> None:
    assert decide_ab(control, candidate, 0.5, TERMS, time_is_up=False).state is state


@pytest.mark.parametrize(("control", "candidate"), AB_HOLDS)
def test_an_ab_trial_holds(control: Arm, candidate: Arm) -> None:
    assert decide_ab(control, candidate, 0.5, TERMS, time_is_up=False).state is State.HOLD


SHADOW_ACTS = [
    (Pairs(400), State.PROMOTE),
    (Pairs(1_000, better=300), State.PROMOTE),
    (Pairs(2_000, worse=2, better=1, different=1), State.PROMOTE),
    (Pairs(1_000, worse=12, better=1), State.ROLLBACK),
    (Pairs(100, different=20), State.ROLLBACK),
    (Pairs(5, worse=5), State.ROLLBACK),
]
SHADOW_HOLDS = [Pairs(), Pairs(299), Pairs(300, worse=1), Pairs(1_000, worse=6, better=6), Pairs(500, different=5)]


@pytest.mark.parametrize(("pairs", "state"), SHADOW_ACTS)
def test_a_shadow_is_decided(pairs: Pairs, state: State) -> None:
    assert decide_shadow(pairs, TERMS, time_is_up=False).state is state


@pytest.mark.parametrize("pairs", SHADOW_HOLDS)
def test_a_shadow_holds(pairs: Pairs) -> None:
    assert decide_shadow(pairs, TERMS, time_is_up=False).state is State.HOLD


WATCH_ACTS = [
    (arm(1_000, 20, 50), arm(1_000, 200, 50), 0, State.ROLLBACK),
    (arm(1_000, 20, 50), arm(300, 6, 90), 0, State.ROLLBACK),
    (arm(1_000, 20, 50), arm(20, 20, 0), 0, State.ROLLBACK),
    (arm(1_000, 20, 50), arm(2_000, 10, 20), 0, State.PROMOTE),
    (arm(1_000, 500, 50), arm(400, 0, 0), 0, State.PROMOTE),
    (arm(1_000, 20, 50), arm(2_000, 10, 20), 1, State.ROLLBACK),
    (Arm(), Arm(), 1, State.ROLLBACK),
]
WATCH_HOLDS = [
    (Arm(), Arm()),
    (arm(1_000, 20, 50), Arm()),
    (Arm(), arm(1_000, 20, 50)),
    (arm(1_000, 20, 50), arm(100, 3, 6)),
    (arm(20, 0, 1), arm(20, 1, 1)),
    (arm(10, 10, 10), arm(5, 5, 5)),
]


@pytest.mark.parametrize(("baseline", "since", "recurrences", "state"), WATCH_ACTS)
def test_a_watch_is_decided(baseline: Arm, since: Arm, recurrences: int, state: State) -> None:
    assert decide_watch(baseline, since, recurrences, TERMS, time_is_up=False).state is state


@pytest.mark.parametrize(("baseline", "since"), WATCH_HOLDS)
def test_a_watch_holds(baseline: Arm, since: Arm) -> None:
    assert decide_watch(baseline, since, 0, TERMS, time_is_up=False).state is State.HOLD


def everyone(control: Arm, candidate: Arm, pairs: Pairs, *, time_is_up: bool) -> list[Decision]:
    return [
        decide_canary(control, candidate, 0.5, TERMS, time_is_up=time_is_up),
        decide_ab(control, candidate, 0.5, TERMS, time_is_up=time_is_up),
        decide_shadow(pairs, TERMS, time_is_up=time_is_up),
        decide_watch(control, candidate, 0, TERMS, time_is_up=time_is_up),
    ]


def test_without_data_a_trial_holds_and_at_the_time_limit_rolls_back() -> None:
    assert {one.state for one in everyone(Arm(), Arm(), Pairs(), time_is_up=False)} == {State.HOLD}
    assert {one.state for one in everyone(Arm(), Arm(), Pairs(), time_is_up=True)} == {State.ROLLBACK}
    assert {one.state for one in everyone(arm(900, 9), Arm(), Pairs(), time_is_up=True)} == {State.ROLLBACK}


def test_little_data_is_inconclusive_at_the_time_limit() -> None:
    decisions = everyone(arm(60, 1, 3), arm(60, 1, 3), Pairs(60), time_is_up=True)
    assert {one.state for one in decisions} == {State.INCONCLUSIVE}


numbers = whole(0, 3_000)


@given(numbers, numbers, real(0, 1), real(0, 1), real(-1, 1))
def test_the_time_limit_ends_every_trial_and_never_promotes(
    old: int, new: int, failing: float, slow: float, gap: float
) -> None:
    control = arm(old, int(old * failing / 2), int(old * slow / 2))
    candidate = arm(new, int(new * failing), int(new * slow), log_seconds=gap)
    pairs = Pairs(new, int(new * failing / 2), int(new * slow / 2), 0)
    before = everyone(control, candidate, pairs, time_is_up=False)
    after = everyone(control, candidate, pairs, time_is_up=True)
    for early, late in zip(before, after, strict=True):
        assert late.state is not State.HOLD
        assert early.state is State.HOLD or early == late
        assert early.state is not State.HOLD or late.state in (State.ROLLBACK, State.INCONCLUSIVE)
        assert decode(Decision, to_plain(late)) == late
        assert canonical(late)


def test_an_arm_counts_calls_errors_slow_calls_and_durations() -> None:
    counted = Arm()
    for seconds, failed in ((0.1, False), (0.5, True), (0.0, False)):
        counted = counted.after(seconds, 0.2, failed=failed)
    assert (counted.calls, counted.errors, counted.slow, counted.log_seconds.count) == (3, 1, 1, 3)


def test_a_look_stays_cheap_after_a_thousand_times_as_many_calls() -> None:
    def seconds(control: Arm) -> float:
        started = time.thread_time()
        for _ in range(10):
            decide_canary(control, control, 0.5, TERMS, time_is_up=False)
        return time.thread_time() - started

    assert seconds(arm(1_000_000, 20_000, 50_000)) < 50 * seconds(arm(1_000, 20, 50))


def test_slow_calls_count_only_if_every_call_was_timed() -> None:
    """If the arms are timed at different rates, one arm seems to have more slow calls."""
    often, seldom = Moments(2_000, -3.0, 20.0), Moments(100, -3.0, 1.0)
    control, canary = Arm(2_000, 0, 5, seldom), Arm(2_000, 0, 100, often)
    assert decide_canary(control, canary, 0.5, Terms(), time_is_up=False).state is not State.ROLLBACK
    assert (
        decide_canary(replace(control, log_seconds=often), canary, 0.5, Terms(), time_is_up=False).state
        is State.ROLLBACK
    )
