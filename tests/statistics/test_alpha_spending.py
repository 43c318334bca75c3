from itertools import pairwise
from math import comb

import pytest

from whet.statistics.alpha_spending import has_too_many, too_many
from whet.statistics.arm import Arm
from whet.statistics.canary import is_worse


@pytest.mark.parametrize(("share", "alpha"), [(0.5, 0.035), (0.5, 0.05), (0.1, 0.03), (0.8, 0.03)])
def test_the_chance_of_a_false_alarm_is_at_most_alpha_and_close_to_it(share: float, alpha: float) -> None:
    """Computed independently: count the paths that stay below the limits."""
    paths = {0: 1}
    for errors, limit in enumerate(too_many(share, alpha), start=1):
        paths = {k: count for k in range(errors + 1) if k < limit and (count := paths.get(k, 0) + paths.get(k - 1, 0))}
    left = sum(count * share**k * (1 - share) ** (errors - k) for k, count in paths.items())
    assert 0.95 * alpha <= 1 - left <= alpha


def test_a_better_canary_is_rolled_back_even_less_often() -> None:
    limits = too_many(0.5, 0.05)
    assert all(limit > errors / 2 for errors, limit in enumerate(limits, start=1))
    assert all(0 <= after - before <= 1 for before, after in pairwise(limits))


MUST_ACT = [(14, 14), (40, 55), (82, 120), (95, 150)]
MUST_NOT_ACT = [(0, 0), (1, 1), (5, 5), (30, 55), (65, 120), (150, 400), (400, 400)]


@pytest.mark.parametrize(("canary", "errors"), MUST_ACT)
def test_too_many_errors_are_detected(canary: int, errors: int) -> None:
    assert has_too_many(canary, errors, 0.5, 0.035)


@pytest.mark.parametrize(("canary", "errors"), MUST_NOT_ACT)
def test_few_errors_are_not_too_many(canary: int, errors: int) -> None:
    assert not has_too_many(canary, errors, 0.5, 0.035)


def test_a_chance_is_the_number_of_paths_over_all_paths() -> None:
    limits = too_many(0.5, 0.05)
    first = next(errors for errors, limit in enumerate(limits, start=1) if limit <= errors)
    assert comb(first, first) / 2**first <= 0.05 * first / len(limits)


@pytest.mark.parametrize("share", [0.5, 0.2])
def test_both_tests_of_a_canary_together_stay_within_alpha(share: float) -> None:
    """Sum, over every path of the first errors with a look after each, the chance of a wrong rollback."""
    alive, lost = [1.0], 0.0
    for errors in range(1, 201):
        stepped = [0.0] * (errors + 1)
        for k, chance in enumerate(alive):
            stepped[k] += chance * (1 - share)
            stepped[k + 1] += chance * share
        for k, chance in enumerate(stepped):
            if chance > 1e-12 and is_worse(Arm(errors=errors - k), Arm(errors=k), share, 0.05):
                lost += chance
                stepped[k] = 0.0
        alive = stepped
    assert 0.01 < lost <= 0.05
