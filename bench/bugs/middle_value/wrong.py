def median(values):
    """Return the middle value, or the mean of the two middle ones."""
    ordered = values
    ordered.sort()
    middle = len(ordered) // 2
    if len(ordered) % 2:
        return ordered[middle]
    return (ordered[middle - 1] + ordered[middle]) / 2


def first_above_median(values):
    """Return the first value above the median, or None."""
    limit = median(values)
    for value in values:
        if value > limit:
            return value
    return None
