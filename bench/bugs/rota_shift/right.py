def rotate(items, places):
    """Return the list rotated to the right by a number of places."""
    if not items:
        return []
    places %= len(items)
    cut = len(items) - places
    return items[cut:] + items[:cut]


def weekly_rota(people, week):
    """Return who is on duty in the given week: (first, second)."""
    order = rotate(people, week)
    return order[0], order[1]
