"""The result of a search for better values of constants."""

from dataclasses import dataclass
from datetime import datetime
from typing import ClassVar


@dataclass(frozen=True, kw_only=True)
class TriedValues:
    """One set of values, in the order of the constants, with the median ratio to the present values and the number of runs.

    A ratio below 1 is better, whichever direction of the benchmark is better.
    """

    values: tuple[float, ...]
    ratio: float
    runs: int


@dataclass(frozen=True, kw_only=True)
class Tuning:
    """Better values for constants of one file, as `whet tune` found them on commit `base`.

    `before` and `after` are the values in the order of `constants`. `noise` is the largest difference from 1 that two runs of
    the same values showed. `confirmed` describes the one comparison on fresh inputs, with its interval.
    """

    kind: ClassVar[str] = "tuned_constants"
    name: str
    path: str
    constants: tuple[str, ...]
    before: tuple[float, ...]
    after: tuple[float, ...]
    objective: str
    noise: float
    confirmed: str
    ratio: float
    curve: tuple[TriedValues, ...]
    base: str
    found_at: datetime

    @property
    def change(self) -> str:
        pairs = zip(self.constants, self.before, self.after, strict=True)
        return ", ".join(f"{name} {old:g} -> {new:g}" for name, old, new in pairs)
