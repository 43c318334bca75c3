def edit_distance(first, second):
    """Return the least number of inserted, deleted or changed letters."""
    previous = list(range(len(second) + 1))
    for i, a in enumerate(first, start=1):
        current = [0]
        for j, b in enumerate(second, start=1):
            change = previous[j - 1] + (a != b)
            current.append(min(change, previous[j] + 1, current[j - 1] + 1))
        previous = current
    return previous[-1]


def suggest(word, known, limit=2):
    """Return the known words within the limit, the nearest first."""
    near = [(edit_distance(word, k), k) for k in known]
    return [k for distance, k in sorted(near) if distance <= limit]
