"""Properties over many inputs, the same in every run.

Not by hypothesis: its plug-in loads it whole into every pytest of this environment, and our tests start thousands.
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
    """The test, called with a value of each; an end of its range comes every other time."""

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

        del run.__wrapped__  # pytest would take its arguments for fixtures
        return run

    return deco
