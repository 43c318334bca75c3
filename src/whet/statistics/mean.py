"""Bet that one mean is above another: the time-uniform normal bound.

The bet is won when z exceeds sqrt((1 + 1/(t^2 V)) ln((1 + t^2 V) / a^2)), one-sided. Variances are estimated, so unlike
the tests of rates this one holds only in the limit, and the first calls do not count. Durations enter as logarithms,
because a few outliers dominate their raw sums; the test of slow calls covers those.
"""

from math import erfc, log, log1p, pi, sqrt

from whet.statistics.moments import Moments

FEWEST = 50
"""The least number of calls per arm for an estimate of the variance."""

TYPICAL = 0.1
"""The difference, in standard deviations, at which the test has the most power (t above)."""

_FAR = 8.0


def log_e_above(low: Moments, high: Moments, shift: float = 0.0) -> float:
    """Return the log-capital of the bet that the mean of `high` is more than `shift` above that of `low`.

    It is 0 until both have `FEWEST` calls.
    """
    return _log_e(low, high, high.mean - low.mean - shift)


def log_e_below(low: Moments, high: Moments, shift: float) -> float:
    """Return the log-capital of the bet that the mean of `high` is less than `shift` above that of `low`."""
    return _log_e(low, high, low.mean + shift - high.mean)


def _log_e(low: Moments, high: Moments, gap: float) -> float:
    if min(low.count, high.count) < FEWEST:
        return 0.0
    error = low.variance / low.count + high.variance / high.count
    if error == 0:
        return 0.0
    pooled = (low.deviations + high.deviations) / (low.count + high.count - 2)
    return normal_mixture(gap / sqrt(error), TYPICAL**2 * pooled / error)


def normal_mixture(z: float, information: float) -> float:
    """Return the log-capital of bets on every positive drift, weighted by a half-normal; `information` is t^2 V."""
    share = information / (1 + information)
    return (z * z * share - log1p(information)) / 2 + _log_twice_normal(z * sqrt(share))


def _log_twice_normal(y: float) -> float:
    """Return ln(2 Phi(y)); for very small y, where that underflows, by the bound on Mills' ratio."""
    if y > -_FAR:
        return log(erfc(-y / sqrt(2)))
    return log(2 / (-y * sqrt(2 * pi))) - y * y / 2
