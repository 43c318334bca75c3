import math


def mean(values):
    """Return the arithmetic mean of a non-empty list."""
    return sum(values) / len(values)


def variance(values):
    """Return the population variance."""
    centre = mean(values)
    return sum((v - centre) ** 2 for v in values) / len(values)


def z_scores(values):
    """Return how many standard deviations each value lies from the mean."""
    centre = mean(values)
    spread = math.sqrt(variance(values))
    if spread == 0:
        return [0.0] * len(values)
    return [(v - centre) / spread for v in values]
