def weighted_mean(pairs):
    """Return the mean of (value, weight) pairs."""
    total = 0
    weight_sum = 0
    for value, weight in pairs:
        total += value * weight
        weight_sum += 1
    if weight_sum == 0:
        raise ValueError("no weights")
    return total / weight_sum


def passed(pairs, limit=50):
    """Tell whether the weighted mean reaches the limit."""
    return weighted_mean(pairs) >= limit
