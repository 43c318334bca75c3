"""Pairs of measurements: a real difference is seen, noise is not taken for one."""

from random import Random

import pytest

from whet.statistics.paired import PairedResult, compare, interval


def result(effect: float, noise: float, seed: int, pairs: int = 20) -> PairedResult:
    """Look after every pair, as the check does, and stop at the first difference."""
    drawn, ratios = Random(seed), []
    comparison = PairedResult.OPEN
    for _ in range(pairs):
        ratios.append(effect * drawn.lognormvariate(0, noise))
        comparison = compare(ratios, 0.05)
        if comparison in (PairedResult.WORSE, PairedResult.BETTER):
            break
    return comparison


@pytest.mark.parametrize(
    ("effect", "noise", "expected"),
    [
        (0.8, 0.05, PairedResult.BETTER),
        (1.25, 0.05, PairedResult.WORSE),
        (1.0, 0.01, PairedResult.WITHIN),
        (1.02, 0.005, PairedResult.WITHIN),
    ],
)
def test_a_difference_larger_than_the_noise_is_seen(effect: float, noise: float, expected: PairedResult) -> None:
    assert [result(effect, noise, seed) for seed in range(50)].count(expected) >= 48


@pytest.mark.parametrize("noise", [0.05, 0.1, 0.3])
def test_equal_programs_are_rarely_called_different(noise: float) -> None:
    results = [result(1.0, noise, seed) for seed in range(400)]
    assert sum(each in (PairedResult.BETTER, PairedResult.WORSE) for each in results) <= 20


def test_noise_larger_than_the_margin_leaves_the_question_open() -> None:
    assert [result(0.97, 0.4, seed) for seed in range(50)].count(PairedResult.OPEN) >= 40
    assert compare([], 0.05) is PairedResult.OPEN


def test_the_interval_holds_the_median() -> None:
    drawn = Random(1)
    held = 0
    for _ in range(200):
        found = interval([1.1 * drawn.lognormvariate(0, 0.2) for _ in range(15)])
        held += found.low <= 1.1 <= found.high
    assert held >= 185
    assert str(interval([0.9])) == "-10.0% [-10.0%, -10.0%]"
