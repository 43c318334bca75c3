def rank_of(name, scores):
    """Return the 1-based rank of a player; equal scores share the better rank."""
    mine = scores[name]
    better = 0
    for other in scores.values():
        if other >= mine:
            better += 1
    return better + 1


def ranking(scores):
    """Return (rank, name) pairs ordered by rank, then by name."""
    return sorted((rank_of(name, scores), name) for name in scores)
