"""Run a property test over many random inputs, the same in every run.

hypothesis is not used because its pytest plug-in would be loaded into each of the thousands of pytest runs that our tests
start.
"""

from collections.abc import Callable
from functools import wraps
from random import Random
from typing import Any

TIMES = 100
Draw = Callable[[Random], Any]


def whole(low: int, high: int) -> Draw:
    return lambda random: random.choice((low, high, random.randint(low, high), random.randint(low, high)))


def real(low: float, high: float) -> Draw:
    return lambda random: random.choice((low, high, random.uniform(low, high), random.uniform(low, high)))


def several(draw: Draw, least: int, most: int) -> Draw:
    return lambda random: [draw(random) for _ in range(random.randint(least, most))]


def given(*draws: Draw) -> Callable[[Callable[..., None]], Callable[[], None]]:
    """Call the test `TIMES` times with one value of each draw; half of the values are an end of their range."""

    def deco(test: Callable[..., None]) -> Callable[[], None]:
        @wraps(test)
        def run() -> None:
            random = Random(test.__name__)
            for _ in range(TIMES):
                values = [draw(random) for draw in draws]
                try:
                    test(*values)
                except Exception as problem:
                    problem.add_note(f"drawn: {values}")
                    raise

        del run.__wrapped__  # otherwise pytest takes the arguments for fixtures
        return run

    return deco
