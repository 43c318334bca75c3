"""For each test: the expected capital under the null is at most 1 at any time, and grows under the alternative."""

from collections.abc import Callable
from math import comb, exp, log, log1p

import pytest

from tests.statistics.drawn import given, real, whole
from whet.statistics.beta import log_beta, log_beta_above
from whet.statistics.betting import average, proven
from whet.statistics.rate import ceiling, log_e_above, log_e_below, log_e_other

Test = Callable[[int, int, float], float]
rates = real(0.001, 0.999)


def mean(test: Test, draws: int, true: float, rate: float) -> float:
    return sum(
        comb(draws, hits) * true**hits * (1 - true) ** (draws - hits) * exp(test(hits, draws, rate))
        for hits in range(draws + 1)
    )


@given(whole(0, 60), rates, real(0, 1))
def test_the_expected_capital_under_the_null_is_at_most_one(draws: int, rate: float, part: float) -> None:
    assert mean(log_e_above, draws, rate * part, rate) <= 1 + 1e-9
    assert mean(log_e_below, draws, rate + (1 - rate) * part, rate) <= 1 + 1e-9


@given(whole(0, 60), rates)
def test_the_expected_capital_at_the_edge_of_the_null_is_one(draws: int, rate: float) -> None:
    for test in (log_e_above, log_e_below, log_e_other):
        assert mean(test, draws, rate, rate) == pytest.approx(1, abs=1e-9)


@given(whole(0, 3_000), real(0, 1), rates)
def test_the_expected_capital_does_not_grow_with_the_next_draw(draws: int, part: float, rate: float) -> None:
    """A fair next step from every state is what allows stopping at any time."""
    hits = round(draws * part)
    for test in (log_e_above, log_e_below, log_e_other):
        next_step = rate * exp(test(hits + 1, draws + 1, rate) - test(hits, draws, rate))
        next_step += (1 - rate) * exp(test(hits, draws + 1, rate) - test(hits, draws, rate))
        assert next_step == pytest.approx(1, rel=1e-6)


def test_for_an_even_split_the_mixture_is_uniform() -> None:
    for hits, draws in ((0, 0), (3, 3), (80, 120), (10, 90)):
        tail = log_beta_above(0.5, hits + 1, draws - hits + 1) - log_beta(hits + 1, draws - hits + 1)
        flat = (draws + 1) * log(2) + log_beta(hits + 1, draws - hits + 1) + tail
        assert log_e_above(hits, draws, 0.5) == pytest.approx(flat)


MUST_ACT = [
    (log_e_above, 85, 120, 0.5),
    (log_e_above, 6, 6, 0.1),
    (log_e_above, 40, 400, 0.05),
    (log_e_below, 0, 70, 0.05),
    (log_e_below, 1, 500, 0.02),
    (log_e_other, 400, 1_000, 0.5),
    (log_e_other, 60, 1_000, 0.1),
]
MUST_NOT_ACT = [
    (log_e_above, 0, 0, 0.5),
    (log_e_above, 66, 120, 0.5),
    (log_e_above, 3, 3, 0.5),
    (log_e_above, 10, 10_000, 0.5),
    (log_e_above, 22, 400, 0.05),
    (log_e_below, 0, 0, 0.05),
    (log_e_below, 0, 50, 0.05),
    (log_e_below, 10, 500, 0.02),
    (log_e_other, 0, 0, 0.5),
    (log_e_other, 500, 1_000, 0.5),
    (log_e_other, 105, 1_000, 0.1),
]


@pytest.mark.parametrize(("test", "hits", "draws", "rate"), MUST_ACT)
def test_a_deviation_is_proven(test: Test, hits: int, draws: int, rate: float) -> None:
    assert proven(test(hits, draws, rate), 0.05)


@pytest.mark.parametrize(("test", "hits", "draws", "rate"), MUST_NOT_ACT)
def test_a_deviation_is_not_proven(test: Test, hits: int, draws: int, rate: float) -> None:
    assert not proven(test(hits, draws, rate), 0.05)


@pytest.mark.parametrize(("rate", "calls"), [(0.05, 59), (0.01, 299), (0.001, 2_995)])
def test_without_a_hit_the_ceiling_falls_below_a_rate_after_so_many_calls(rate: float, calls: int) -> None:
    assert ceiling(0, calls, 0.05) <= rate < ceiling(0, calls - 1, 0.05)


@given(whole(1, 200), real(0, 1))
def test_the_ceiling_is_at_least_the_observed_rate(draws: int, part: float) -> None:
    hits = round(draws * part)
    assert hits / draws <= ceiling(hits, draws, 0.05) <= 1


def test_a_million_draws_are_computed_without_overflow() -> None:
    assert not proven(log_e_above(500_300, 1_000_000, 0.5), 0.05)
    assert proven(log_e_above(503_000, 1_000_000, 0.5), 0.05)


def test_averaging_bets_is_never_weaker_than_dividing_alpha() -> None:
    for logs in ([5.0, -3.0, 0.0], [800.0, -800.0], [1.0]):
        assert average(logs) >= max(logs) - log(len(logs)) - 1e-12
    assert average([-5.0, -5.0]) == pytest.approx(-5)
    assert not proven(average([log(20) + log1p(0.5), -50.0, -50.0]), 0.05)
