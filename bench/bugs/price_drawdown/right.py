def max_drawdown(prices):
    """Return the largest fall from any earlier peak."""
    worst = 0
    peak = None
    for price in prices:
        if peak is None or price > peak:
            peak = price
        worst = max(worst, peak - price)
    return worst


def is_calm(prices, limit):
    """Tell whether prices never fell by more than the limit."""
    return max_drawdown(prices) <= limit
