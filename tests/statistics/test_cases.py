"""Scores of the same cases are compared in pairs; ties say nothing, and a mixed result stays open."""

from random import Random

from whet.statistics.paired import PairedResult, compare_cases


def scores(*values: float) -> dict[str, float]:
    return {f"case {number:02}": value for number, value in enumerate(values)}


def test_seven_cases_that_get_better_and_none_that_gets_worse_are_a_gain() -> None:
    base = scores(*[0.0] * 7, *[1.0] * 30)
    comparison = compare_cases(base, scores(*[1.0] * 37), 0)
    assert comparison.result is PairedResult.BETTER
    assert 0 < comparison.low < comparison.mean == 7 / 37 < comparison.high
    assert compare_cases(base, scores(0.0, *[1.0] * 36), 0).result is PairedResult.WITHIN  # six are too few


def test_worse_is_told_from_mixed_and_from_equal() -> None:
    base = scores(*[0.5] * 20)
    assert compare_cases(base, scores(*[0.2] * 8, *[0.5] * 12), 0).result is PairedResult.WORSE
    mixed = compare_cases(base, scores(0.9, 0.1, *[0.5] * 18), 0)
    assert (mixed.result, len(mixed.better), len(mixed.worse)) == (PairedResult.OPEN, 1, 1)
    assert compare_cases(base, base, 0).result is PairedResult.WITHIN
    assert compare_cases({}, {}, 0).result is PairedResult.OPEN


def test_many_small_gains_do_not_outweigh_a_larger_loss() -> None:
    base = scores(*[0.5] * 10)
    assert compare_cases(base, scores(*[0.51] * 9, 0.0), 0).result is PairedResult.OPEN


def test_differences_up_to_the_tolerance_and_cases_that_are_left_out_do_not_count() -> None:
    base, candidate = scores(*[0.5] * 20), scores(*[0.54] * 20)
    assert compare_cases(base, candidate, 0.05).result is PairedResult.WITHIN
    assert compare_cases(base, candidate, 0).result is PairedResult.BETTER
    assert compare_cases(base, candidate, 0, only=["case 00", "case 01"]).cases == 2


def test_equal_versions_are_rarely_called_better() -> None:
    drawn = Random(5)
    called = 0
    for _ in range(60):
        base, other = (scores(*(float(drawn.random() < 0.6) for _ in range(30))) for _ in range(2))
        called += compare_cases(base, other, 0).result is PairedResult.BETTER
    assert called <= 3  # 5 %
