from fractions import Fraction
from math import comb, exp, log

import pytest

from tests.statistics.drawn import given, whole
from whet.statistics.beta import log_beta, log_beta_above


@given(whole(1, 60), whole(1, 60), whole(1, 99))
def test_the_integral_is_the_binomial_tail_for_whole_numbers(a: int, b: int, percent: int) -> None:
    x, draws = Fraction(percent, 100), a + b - 1
    fewer = sum((comb(draws, k) * x**k * (1 - x) ** (draws - k) for k in range(a)), start=Fraction(0))
    assert log_beta_above(percent / 100, a, b) - log_beta(a, b) == pytest.approx(_log(fewer), rel=1e-9, abs=1e-11)


def _log(value: Fraction) -> float:
    return log(value.numerator) - log(value.denominator)


@pytest.mark.parametrize("x", [0.001, 0.5, 0.999])
def test_both_tails_add_up_even_if_a_float_cannot_hold_them(x: float) -> None:
    a, b = 50_000 * x, 50_000 * (1 - x)
    above = log_beta_above(x, a, b) - log_beta(a, b)
    below = log_beta_above(1 - x, b, a) - log_beta(a, b)
    assert exp(above) + exp(below) == pytest.approx(1, abs=1e-9)


def test_a_far_tail_keeps_its_magnitude() -> None:
    assert log_beta_above(0.9, 10, 5_000) - log_beta(10, 5_000) < -10_000
