def best_stretch(changes):
    """Return the largest sum of any non-empty run of neighbouring changes."""
    if not changes:
        raise ValueError("no changes")
    best = 0
    current = 0
    for change in changes:
        current = max(change, current + change)
        best = max(best, current)
    return best


def has_gain(changes):
    """Tell whether some stretch ended in a gain."""
    return bool(changes) and best_stretch(changes) > 0
