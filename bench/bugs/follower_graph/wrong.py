def followers(follows):
    """Turn {person: those they follow} into {person: sorted followers}."""
    result = {}
    for person, others in follows.items():
        for other in others:
            result.setdefault(other, []).append(person)
    return {person: sorted(names) for person, names in result.items()}


def mutual(follows):
    """Return the sorted pairs of people who follow each other."""
    pairs = set()
    for person, others in follows.items():
        for other in others:
            if person < other and person in follows[other]:
                pairs.add((person, other))
    return sorted(pairs)
