"""Evidence that one mean is above another: the time-uniform normal bound.

It stops when z exceeds sqrt((1 + 1/(t^2 V)) ln((1 + t^2 V) / a^2)), one side of it. Variances are estimated, so unlike
the tests of rates it holds in the limit, not exactly; the first calls do not count. Durations go in as logarithms: their
raw sums are ruled by a few outliers, for which there is the tail test.
"""

from math import erfc, log, log1p, pi, sqrt

from whet.statistics.moments import Moments

FEWEST = 50
"""Calls per arm before a variance is believed."""

TYPICAL = 0.1
"""The difference, in standard deviations, at which the test is sharpest (t above)."""

_FAR = 8.0


def log_e_above(low: Moments, high: Moments, shift: float = 0.0) -> float:
    """Evidence that the mean of `high` is more than `shift` above that of `low`; none before both have enough calls."""
    return _log_e(low, high, high.mean - low.mean - shift)


def log_e_below(low: Moments, high: Moments, shift: float) -> float:
    """Evidence that the mean of `high` is less than `shift` above that of `low`."""
    return _log_e(low, high, low.mean + shift - high.mean)


def _log_e(one: Moments, two: Moments, gap: float) -> float:
    if min(one.count, two.count) < FEWEST:
        return 0.0
    error = one.variance / one.count + two.variance / two.count
    if error == 0:
        return 0.0
    pooled = (one.deviations + two.deviations) / (one.count + two.count - 2)
    return normal_mixture(gap / sqrt(error), TYPICAL**2 * pooled / error)


def normal_mixture(z: float, information: float) -> float:
    """Bets on every positive drift, weighed by a half-normal; `information` is t^2 V."""
    share = information / (1 + information)
    return (z * z * share - log1p(information)) / 2 + _log_twice_normal(z * sqrt(share))


def _log_twice_normal(y: float) -> float:
    """ln(2 Phi(y)); far down by the bound on Mills' ratio, since the exact value underflows there."""
    if y > -_FAR:
        return log(erfc(-y / sqrt(2)))
    return log(2 / (-y * sqrt(2 * pi))) - y * y / 2
