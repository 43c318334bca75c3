"""Trials whose calls are divided by routing key: groups of keys are counted, not calls."""

import itertools
from dataclasses import replace
from random import Random

import pytest

from whet.domain.decision import State
from whet.domain.version import share_of_units
from whet.statistics.ab import decide_ab
from whet.statistics.arm import Arm
from whet.statistics.by_key import harm_by_key
from whet.statistics.canary import calls_needed, decide_canary
from whet.statistics.clustered import fewest_units, log_p_less, log_p_more
from whet.statistics.looks import MOST_LOOKS, Looks
from whet.statistics.moments import Moments
from whet.statistics.terms import Terms

LOOK = replace(Terms(), alpha=Looks.part(Terms().alpha))


def group(calls: int, errors: int, log_seconds: float = -3.0) -> Arm:
    return Arm(calls, errors, 0, Moments(calls, log_seconds, calls * 0.1))


def of_groups(*groups: Arm) -> Arm:
    """Return an arm all of whose calls were drawn in these groups."""
    total = sum(each.log_seconds.total for each in groups)
    squares = sum(each.log_seconds.squares for each in groups)
    moments = Moments.of_sums(sum(each.calls for each in groups), total, squares)
    return Arm(moments.count, sum(each.errors for each in groups), 0, moments, groups)


def divided(groups: list[Arm], share: float, random: Random) -> tuple[Arm, Arm]:
    """Return both arms after each group was drawn."""
    new = [random.random() < share for _ in groups]
    return (
        of_groups(*(each for each, is_new in zip(groups, new, strict=True) if not is_new)),
        of_groups(*(each for each, is_new in zip(groups, new, strict=True) if is_new)),
    )


@pytest.mark.parametrize("share", [0.1, 0.5])
def test_the_bound_holds_however_unequal_the_keys_are(share: float) -> None:
    """One key makes half of the calls and always fails; the chance of a small p must be no larger than p."""
    random, small = Random("bound"), 0
    groups = [group(3_000, 3_000), *(group(3_000 // (rank + 1), rank % 3) for rank in range(1, 60))]
    for _ in range(400):
        control, candidate = divided(groups, share, random)
        small += log_p_more(control, candidate, share, "errors") < -3.0
    assert small <= 400 * 0.0498 + 6


def test_a_worse_candidate_is_caught_and_a_better_one_promoted() -> None:
    old, worse, better = (of_groups(*(group(100, errors) for _ in range(50))) for errors in (5, 9, 2))
    caught = decide_canary(old, worse, 0.5, LOOK, time_is_up=False)
    assert caught.state is State.ROLLBACK
    assert "more of its calls fail: 450 of 5000 calls failed, 250 of 5000 of the old version" in caught.why
    assert decide_ab(old, worse, 0.5, LOOK, time_is_up=False).state is State.ROLLBACK
    assert decide_ab(old, better, 0.5, LOOK, time_is_up=False).state is State.PROMOTE
    assert decide_canary(old, better, 0.5, LOOK, time_is_up=False).state is State.PROMOTE


def test_the_same_counts_are_no_proof_if_one_key_made_the_difference() -> None:
    old = of_groups(*(group(100, 5) for _ in range(50)))
    one = of_groups(*(group(100, 5) for _ in range(48)), group(100, 100), group(100, 100))
    spread = of_groups(*(group(100, 9) for _ in range(50)))
    assert one.errors == pytest.approx(spread.errors, abs=15)
    assert decide_canary(old, one, 0.5, LOOK, time_is_up=False).state is State.HOLD
    assert decide_canary(old, spread, 0.5, LOOK, time_is_up=False).state is State.ROLLBACK


def test_too_few_keys_are_said_at_once_and_decide_nothing() -> None:
    few = of_groups(*(group(300, 150) for _ in range(2))), of_groups(*(group(300, 300) for _ in range(2)))
    decision = decide_canary(*few, 0.5, LOOK, time_is_up=False)
    assert decision.state is State.INCONCLUSIVE
    assert decision.why == (
        "too few keys to tell: the 1,200 calls have 4 different keys, and a trial needs at least 20; see deploy.keys"
    )
    early = of_groups(group(10, 0)), of_groups(group(10, 10))
    assert decide_canary(*early, 0.5, LOOK, time_is_up=False).state is State.HOLD
    nobody = of_groups(*(group(300, 1) for _ in range(5))), Arm()
    assert decide_canary(*nobody, 0.1, LOOK, time_is_up=True).state is State.INCONCLUSIVE
    assert fewest_units(0.1) == 40


def test_a_split_of_keys_that_is_off_is_reported() -> None:
    old, new = of_groups(*(group(100, 2) for _ in range(20))), of_groups(*(group(100, 2) for _ in range(60)))
    decision = decide_ab(old, new, 0.5, LOOK, time_is_up=False)
    assert decision.state is State.INCONCLUSIVE
    assert "60 of 80 keys" in decision.why


def test_calls_without_a_key_count_beside_the_keys() -> None:
    """500 calls of each arm were drawn alone: their failures alone prove the harm."""
    keyed = of_groups(*(group(10, 0) for _ in range(15)))
    alone = Moments(500, -3.0, 50.0)
    old = Arm(650, 5, 0, Moments(650, -3.0, 65.0), keyed.units)
    new = replace(old, errors=60)
    assert old.alone.calls == alone.count
    assert -log_p_more(old, new, 0.5, "errors") > 15
    assert decide_canary(old, new, 0.5, LOOK, time_is_up=False).state is State.ROLLBACK


def test_a_candidate_is_not_better_and_worse_at_once() -> None:
    old, new = of_groups(*(group(100, 5) for _ in range(30))), of_groups(*(group(100, 8) for _ in range(30)))
    assert log_p_more(old, new, 0.5, "errors") < -3
    assert log_p_less(old, new, 0.5, "errors") == 0.0
    assert log_p_less(old, new, 0.5, "errors", 0.2) < -3  # 3 more in a hundred are fewer than 20 more


def test_slow_calls_of_keys_count_only_if_every_call_was_timed() -> None:
    old, new = (
        of_groups(*(group(100, 0) for _ in range(30))),
        of_groups(*(replace(group(100, 0), slow=20) for _ in range(30))),
    )
    new = replace(new, slow=600)
    assert harm_by_key(old, new, 0.5)["more_slow_calls"] > 10
    assert harm_by_key(replace(old, calls=3_001), new, 0.5)["more_slow_calls"] == 0.0


def test_looks_spend_alpha_once_in_all() -> None:
    looks = Looks()
    taken = [calls for calls in range(1, 2_000_000, 37) if looks.is_due(calls, time_is_up=False)]
    assert taken[0] >= 50
    assert all(later >= 1.5 * earlier for earlier, later in itertools.pairwise(taken))
    assert (len(taken) + 1) * Looks.part(0.05) <= 0.05 + 1e-12
    assert len(taken) < MOST_LOOKS
    assert looks.is_due(0, time_is_up=True)


def test_the_share_of_keys_is_a_whole_number_of_groups() -> None:
    assert [share_of_units(share) for share in (0.0, 0.001, 0.1, 0.25, 0.333, 0.5)] == [0.0, 0.01, 0.1, 0.25, 0.33, 0.5]


def test_a_canary_that_shows_too_little_says_how_many_calls_it_needs() -> None:
    old, new = group(4_500, 90), group(500, 10)
    decision = decide_canary(old, new, 0.1, Terms(), time_is_up=True)
    assert decision.state is State.INCONCLUSIVE
    needed = calls_needed(old, new, 0.1, Terms())
    assert 20_000 < needed < 60_000
    assert "a canary as good as the old version needs about" in decision.why
    assert decision.why.endswith("calls, and there were 5,000")
    assert (
        decide_canary(
            group(needed * 9 // 10, needed * 18 // 1000),
            group(needed // 10, needed * 2 // 1000),
            0.1,
            Terms(),
            time_is_up=True,
        ).state
        is State.PROMOTE
    )
