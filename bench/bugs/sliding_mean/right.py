def windows(values, size):
    """Return every run of `size` neighbouring values."""
    if size < 1:
        raise ValueError("size must be at least 1")
    return [values[i:i + size] for i in range(len(values) - size + 1)]


def moving_average(values, size):
    """Return the mean of each window."""
    return [sum(w) / size for w in windows(values, size)]
