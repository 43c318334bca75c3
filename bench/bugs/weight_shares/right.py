def shares(weights: dict) -> dict:
    """Return each weight as a fraction of the total; equal if all are zero."""
    total = sum(weights.values())
    if total == 0:
        return {name: 1 / len(weights) for name in weights}
    return {name: weight / total for name, weight in weights.items()}


def allocate(amount: int, weights: dict) -> dict:
    """Share out an amount by weight, rounded down."""
    return {name: int(amount * share) for name, share in shares(weights).items()}
