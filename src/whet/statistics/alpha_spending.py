"""A sharper test for the first errors of a canary.

An e-process may be watched for ever, and pays for that with power in every trial that ends. This test covers only the
number of errors that it takes to detect a doubled error rate, and spends alpha evenly over them. The chance that a canary
that is not worse is rolled back is computed exactly, path by path, for a look after each error.
"""

from functools import cache

_ERRORS_TO_SEE_A_DOUBLING = 150
"""At an even split. With a doubled rate, 80 of the first 120 errors are expected to be the canary's, give or take 5."""


@cache
def too_many(share: float, alpha: float) -> tuple[int, ...]:
    """Return how many of the first 1, 2, 3, ... errors must be the canary's to roll it back."""
    horizon = round(_ERRORS_TO_SEE_A_DOUBLING / (4 * share * (1 - share)))
    chances = [1.0]
    spent = 0.0
    limits = []
    for errors in range(1, horizon + 1):
        chances = _add_error(chances, share)
        while chances and spent + chances[-1] <= alpha * errors / horizon:
            spent += chances.pop()
        limits.append(len(chances))
    return tuple(limits)


def _add_error(chances: list[float], share: float) -> list[float]:
    """Return the chances after one more error.

    `chances[k]` is the chance that k of the errors so far were the canary's and that no limit was reached on the way.
    """
    in_control = [chance * (1 - share) for chance in chances] + [0.0]
    in_canary = [0.0] + [chance * share for chance in chances]
    return [first + second for first, second in zip(in_control, in_canary, strict=True)]


def has_too_many(canary_errors: int, errors: int, share: float, alpha: float) -> bool:
    """True if the canary has so many of the errors that it must be rolled back.

    Always False beyond the horizon of `too_many`, where the e-process decides alone.
    """
    limits = too_many(share, alpha)
    return 0 < errors <= len(limits) and canary_errors >= limits[errors - 1]
