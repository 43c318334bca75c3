"""Drift, trends and correlation agree with published values, and stay silent where nothing changed."""

import random

import pytest

from whet.statistics.series.correlation import correlations, spearman
from whet.statistics.series.drift import rate_drift, trend_drift, value_drift
from whet.statistics.series.trend import trend
from whet.statistics.series.two_windows import rank_shift, rate_interval


def test_the_interval_of_a_difference_is_newcombes() -> None:
    """56 of 70 against 48 of 80: the example of method 10 in Newcombe's paper, 0.0524 to 0.3339."""
    interval = rate_interval(48, 80, 56, 70, alpha=0.05)
    assert list(interval) == pytest.approx([0.0524, 0.3339], abs=1e-4)


def test_ranks_of_separated_samples_differ_completely() -> None:
    shift = rank_shift([float(value) for value in range(30)], [float(value) for value in range(100, 130)])
    assert shift
    assert shift.delta == 1.0
    assert shift.chance < 1e-9


def test_equal_values_are_no_shift_and_few_values_no_answer() -> None:
    shift = rank_shift([1.0] * 40, [1.0] * 40)
    assert shift
    assert (shift.delta, shift.chance) == (0.0, 1.0)
    assert rank_shift([1.0] * 29, [2.0] * 40) is None


def test_a_trend_is_mann_kendalls_with_the_slope_of_theil_and_sen() -> None:
    found = trend([1, 2, 3, 4, 5, 6, 7, 8, 9, 100])
    assert found
    assert found.slope == pytest.approx(1.0)  # one outlier does not move it
    assert found.chance == pytest.approx(8.3e-5, rel=0.05)
    assert trend([1, 2, 3]) is None


def test_spearman_is_the_correlation_of_ranks() -> None:
    assert spearman([1, 2, 3, 4, 5], [5, 6, 7, 8, 7]) == pytest.approx(0.8208, abs=1e-4)
    assert spearman([1, 1, 1], [1, 2, 3]) is None


@pytest.mark.parametrize(
    ("before", "recent", "drifts"),
    [
        ((20, 1000), (100, 1000), True),
        ((20, 1000), (60, 1000), False),  # four points: less than the threshold
        ((0, 40), (4, 40), False),  # ten points, and it may be chance
        ((100, 1000), (20, 1000), False),  # better
        ((0, 10), (10, 10), False),  # too few
    ],
)
def test_a_rate_drifts_if_the_increase_is_large_and_no_chance(
    before: tuple[int, int], recent: tuple[int, int], drifts: bool
) -> None:
    assert (rate_drift(before, recent, 0.05) is not None) is drifts


def test_a_value_drifts_by_its_median_and_a_small_effect_is_no_drift() -> None:
    generator = random.Random(1)
    base = [generator.lognormvariate(0, 0.5) for _ in range(500)]
    slower = value_drift(base, [2 * value for value in base[:200]], 0.05)
    assert slower
    assert slower.size == pytest.approx(1.0, abs=0.25)
    assert value_drift(base, [1.1 * value for value in base[:200]], 0.05) is None


def test_a_steady_trend_is_found_and_noise_is_not() -> None:
    generator = random.Random(2)
    noise = [generator.gauss(10, 0.5) for _ in range(24)]
    assert trend_drift(noise, 0.05) is None
    rising = trend_drift([value + step * 0.1 for step, value in enumerate(noise)], 0.05)
    assert rising
    assert rising.how == "trend"
    assert rising.size > 0.1


def test_more_metrics_looked_at_together_need_stronger_evidence() -> None:
    assert rate_drift((10, 500), (40, 500), 0.05) is not None
    assert rate_drift((10, 500), (40, 500), 0.05, looks=10_000) is None


def test_two_series_that_both_grow_do_not_correlate_by_that_alone() -> None:
    generator = random.Random(3)
    grow = {name: [step + generator.gauss(0, 1) for step in range(24)] for name in "abcdefgh"}
    assert correlations(grow, 0.7) == []
    grow["copy"] = [3 * value + generator.gauss(0, 0.1) for value in grow["a"]]
    assert [(pair.first, pair.second) for pair in correlations(grow, 0.7)] == [("a", "copy")]
