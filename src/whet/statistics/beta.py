"""The logarithm of the incomplete beta function. The tails that matter here would underflow without the logarithm."""

from math import exp, inf, lgamma, log, log1p

_CLOSE = 1e-14
_MOST_TERMS = 20_000
_TINY = 1e-300


def log_beta(a: float, b: float) -> float:
    return lgamma(a) + lgamma(b) - lgamma(a + b)


def log_beta_above(x: float, a: float, b: float) -> float:
    """Return the logarithm of the integral of t^(a-1) (1-t)^(b-1) from x to 1, for 0 < x < 1."""
    if x * (a + b + 2) > a + 1:
        return _log_tail(1 - x, b, a)
    whole = log_beta(a, b)
    below = _log_tail(x, a, b) - whole
    return whole + log1p(-exp(below)) if below < 0 else -inf


def _log_tail(x: float, a: float, b: float) -> float:
    """Return the logarithm of the integral from 0 to x, by a continued fraction that converges fast for x below the mean."""
    return a * log(x) + b * log1p(-x) - log(a) + log(_fraction(x, a, b))


def _fraction(x: float, a: float, b: float) -> float:
    """Evaluate the continued fraction of the incomplete beta function by Lentz's method."""
    c, d = 1.0, 1 / _off_zero(1 - (a + b) * x / (a + 1))
    value = d
    for term in range(1, _MOST_TERMS):
        even = term * (b - term) * x / ((a + 2 * term - 1) * (a + 2 * term))
        odd = -(a + term) * (a + b + term) * x / ((a + 2 * term) * (a + 2 * term + 1))
        for coefficient in (even, odd):
            d = 1 / _off_zero(1 + coefficient * d)
            c = _off_zero(1 + coefficient / c)
            value *= c * d
        if abs(c * d - 1) < _CLOSE:
            return value
    raise ArithmeticError(f"the incomplete beta function did not converge at {x}, {a}, {b}")


def _off_zero(value: float) -> float:
    return value if abs(value) > _TINY else _TINY
