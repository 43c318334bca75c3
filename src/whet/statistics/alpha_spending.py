"""A sharper test for the errors that come first.

An e-process may be watched for ever, and pays for that in every trial that ends. Here alpha is spent evenly over the errors that a doubled rate takes to show, by counting every path on
which a canary that is no worse would be taken back; the sum is exact, at a look after each error.
"""

from functools import cache

_ERRORS_TO_SEE_A_DOUBLING = 150
"""With half of the traffic; 80 of 120 are expected to be the canary's, give or take 5."""


@cache
def too_many(share: float, alpha: float) -> tuple[int, ...]:
    """Of the first 1, 2, 3... errors, how many in the canary take it back."""
    horizon = round(_ERRORS_TO_SEE_A_DOUBLING / (4 * share * (1 - share)))
    chances = [1.0]
    spent = 0.0
    limits = []
    for errors in range(1, horizon + 1):
        chances = _after_one_more(chances, share)
        while chances and spent + chances[-1] <= alpha * errors / horizon:
            spent += chances.pop()
        limits.append(len(chances))
    return tuple(limits)


def _after_one_more(chances: list[float], share: float) -> list[float]:
    """`chances[k]`: that k of the errors so far were the canary's and no limit was reached on the way."""
    stayed = [chance * (1 - share) for chance in chances] + [0.0]
    moved = [0.0] + [chance * share for chance in chances]
    return [one + two for one, two in zip(stayed, moved, strict=True)]


def has_too_many(canary_errors: int, errors: int, share: float, alpha: float) -> bool:
    """False, too, once the horizon is passed: from there on the e-process has the word."""
    limits = too_many(share, alpha)
    return 0 < errors <= len(limits) and canary_errors >= limits[errors - 1]
