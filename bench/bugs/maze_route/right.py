def can_reach(links, start, goal, seen=None):
    """Tell whether goal can be reached from start by following links."""
    if start == goal:
        return True
    seen = set() if seen is None else seen
    seen.add(start)
    for room in links.get(start, []):
        if room not in seen:
            if can_reach(links, room, goal, seen):
                return True
    return False


def dead_ends(links):
    """Return the rooms that lead nowhere, sorted."""
    return sorted(room for room, exits in links.items() if not exits)
