from dataclasses import dataclass


@dataclass(frozen=True)
class Moments:
    """Count, mean and sum of squared deviations of a stream, updated by Welford's rule so that nothing cancels out."""

    count: int = 0
    mean: float = 0.0
    deviations: float = 0.0

    def after(self, value: float) -> "Moments":
        count = self.count + 1
        step = value - self.mean
        mean = self.mean + step / count
        return Moments(count, mean, self.deviations + step * (value - mean))

    @property
    def variance(self) -> float:
        return self.deviations / (self.count - 1) if self.count > 1 else 0.0
