def count_ways(amount: int, coins: list) -> int:
    """Count the ways to pay an amount with any number of each coin."""
    ways = [0] + [0] * amount
    for coin in coins:
        for total in range(coin, amount + 1):
            ways[total] += ways[total - coin]
    return ways[amount]


def payable(amount: int, coins: list) -> bool:
    """Tell whether an amount can be paid exactly."""
    return count_ways(amount, coins) > 0
