DEFAULT_LIMIT = 10

LIMITS = {"admin": 1000, "editor": 100}


def limit_for(role, overrides=None):
    """Return the request limit of a role, overrides first, else the default."""
    if overrides and role in overrides:
        return overrides[role]
    return LIMITS.get(role, DEFAULT_LIMIT)


def remaining(role, used, overrides=None):
    """Return how many requests are left, never below zero."""
    return max(0, limit_for(role, overrides) - used)
