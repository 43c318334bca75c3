from math import exp, log, log1p, pi, sqrt

import numpy as np
import pytest

from tests.statistics.drawn import given, real, several
from tests.statistics.samples import arm
from whet.statistics import mean
from whet.statistics.betting import proven
from whet.statistics.moments import Moments


@given(several(real(-1e6, 1e6), 2, 50))
def test_moments_of_a_stream_equal_those_of_the_list(values: list[float]) -> None:
    moments = Moments()
    for value in values:
        moments = moments.after(value)
    assert moments.mean == pytest.approx(float(np.mean(values)), abs=1e-6)
    assert moments.variance == pytest.approx(float(np.var(values, ddof=1)), rel=1e-6, abs=1e-6)


@given(several(real(-20, 20), 0, 50))
def test_moments_of_sums_equal_those_of_the_stream(values: list[float]) -> None:
    stream = Moments()
    for value in values:
        stream = stream.after(value)
    summed = Moments.of_sums(len(values), sum(values), sum(value * value for value in values))
    assert summed.count == stream.count
    assert summed.mean == pytest.approx(stream.mean, abs=1e-9)
    assert summed.variance == pytest.approx(stream.variance, abs=1e-6)


@given(real(0.01, 1_000), real(-3, 0))
def test_the_expected_capital_under_the_null_is_at_most_one(information: float, drift: float) -> None:
    """Under the null z is normal with a mean of at most zero; integrate the capital over its density."""
    z = np.linspace(-1, 1, 8_001) * 12 * sqrt(1 + information) + drift
    log_density = -((z - drift) ** 2) / 2 - log(2 * pi) / 2
    weighed = [
        exp(mean.normal_mixture(float(one), information) + more) for one, more in zip(z, log_density, strict=True)
    ]
    total = float(np.trapezoid(weighed, z))
    assert total <= 1 + 1e-3
    assert drift < 0 or total == pytest.approx(1, abs=1e-3)


def test_it_equals_the_one_sided_time_uniform_bound() -> None:
    for information in (0.5, 10.0, 200.0):
        two_sided = sqrt((1 + 1 / information) * log((1 + information) / 0.1**2))
        assert mean.normal_mixture(two_sided, information) == pytest.approx(log(20), abs=0.02)


def test_very_negative_values_neither_overflow_nor_jump() -> None:
    near, far = mean.normal_mixture(-8.0, 1e9), mean.normal_mixture(-8.0 - 1e-6, 1e9)
    assert near == pytest.approx(far, abs=0.05)
    assert mean.normal_mixture(-1e6, 1e9) < 0


MUST_ACT = [(2_000, 0.0953), (500, 0.3), (60, 1.0)]
MUST_NOT_ACT = [(0, 0.0), (49, 5.0), (2_000, 0.0), (2_000, -0.5), (500, 0.03)]


@pytest.mark.parametrize(("calls", "gap"), MUST_ACT)
def test_a_difference_is_proven(calls: int, gap: float) -> None:
    assert proven(mean.log_e_above(arm(calls).log_seconds, arm(calls, log_seconds=gap).log_seconds), 0.05)


@pytest.mark.parametrize(("calls", "gap"), MUST_NOT_ACT)
def test_a_difference_is_not_proven(calls: int, gap: float) -> None:
    assert not proven(mean.log_e_above(arm(calls).log_seconds, arm(calls, log_seconds=gap).log_seconds), 0.05)


def test_a_margin_is_proven_kept_or_not() -> None:
    same, longer = arm(2_000).log_seconds, arm(2_000, log_seconds=0.2).log_seconds
    assert proven(mean.log_e_below(same, same, log1p(0.1)), 0.05)
    assert not proven(mean.log_e_below(same, longer, log1p(0.1)), 0.05)


def test_constant_durations_prove_nothing() -> None:
    still, longer = arm(500, spread=0).log_seconds, arm(500, log_seconds=1, spread=0).log_seconds
    assert mean.log_e_above(still, longer) == 0
