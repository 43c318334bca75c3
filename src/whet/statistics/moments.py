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
    def variance(self) -> float:
        return self.deviations / (self.count - 1) if self.count > 1 else 0.0
