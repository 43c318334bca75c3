from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True)
class Moments:
    """Count, mean and sum of squared deviations of a stream, updated by Welford's rule to avoid cancellation."""

    count: int = 0
    mean: float = 0.0
    deviations: float = 0.0

    @staticmethod
    def of_sums(count: int, total: float, squares: float) -> "Moments":
        """Return the moments from the sum of the values and of their squares, as the rollups store them."""
        if not count:
            return Moments()
        return Moments(count, total / count, max(squares - total * total / count, 0.0))

    def after(self, value: float) -> "Moments":
        """Return the moments after one more value."""
        count = self.count + 1
        step = value - self.mean
        mean = self.mean + step / count
        return Moments(count, mean, self.deviations + step * (value - mean))

    @property
    def total(self) -> float:
        return self.count * self.mean

    @property
    def squares(self) -> float:
        """Return the sum of the squares of the values."""
        return self.deviations + self.count * self.mean * self.mean

    def without(self, parts: "Iterable[Moments]") -> "Moments":
        """Return the moments of the values that are in none of the parts."""
        count, total, squares = self.count, self.total, self.squares
        for part in parts:
            count, total, squares = count - part.count, total - part.total, squares - part.squares
        return Moments.of_sums(count, total, squares)

    @property
    def variance(self) -> float:
        return self.deviations / (self.count - 1) if self.count > 1 else 0.0
