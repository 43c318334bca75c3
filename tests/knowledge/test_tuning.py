"""The search for better values: it covers the range, drops the worse half, and knows the noise."""

from random import Random

import pytest

from whet.knowledge.tuning import Dimension, Race, Values, evenly, with_optuna


def ratio(base: float, candidate: float) -> float:
    return candidate / base


def race(noise: float = 0.0) -> Race:
    drawn = Random(1)

    def measure(values: Values, seed: int) -> float:
        return (10 + (values[0] - 6) ** 2) * drawn.lognormvariate(0, noise)

    return Race((2.0,), measure, ratio)


def test_the_best_value_of_a_grid_wins_and_gets_the_most_runs() -> None:
    running = race(0.02)
    best = running.run(evenly([Dimension(1, 11, integer=True)], 11), lambda done, all_: None)
    assert best == (6.0,)
    runs = {tried.values: tried.runs for tried in running.curve()}
    assert runs[best] == max(runs.values()) > min(runs.values()) == 1
    assert len(runs) == 11


def test_equal_runs_show_the_noise() -> None:
    assert race().noise() == 0
    assert 0.01 < race(0.1).noise() < 0.6


def test_several_constants_are_covered_evenly_within_their_bounds() -> None:
    points = evenly([Dimension(0.001, 10, integer=False), Dimension(-4, 4, integer=True)], 32)
    assert len(points) == 32
    assert all(0.001 <= first <= 10 and -4 <= second <= 4 and second == int(second) for first, second in points)
    assert sum(first < 0.1 for first, _ in points) == pytest.approx(16, abs=3), "a wide range is divided by factors"


def test_optuna_finds_the_best_value_among_many() -> None:
    running = race(0.01)
    values = list(with_optuna([Dimension(-50, 50, integer=False)], 40, running))
    best = min(values, key=running.score)
    assert best[0] == pytest.approx(6, abs=3)
