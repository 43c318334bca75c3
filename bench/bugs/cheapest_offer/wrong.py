def index_of_lowest(prices):
    """Return the index of the lowest price, the first one of equals."""
    if not prices:
        raise ValueError("no prices")
    lowest = 0
    for i in range(1, len(prices)):
        if prices[i] < prices[lowest]:
            lowest = i
    return prices[lowest]


def cheapest_shop(offers):
    """Return the shop of the cheapest (shop, price) offer."""
    prices = [price for _, price in offers]
    return offers[index_of_lowest(prices)][0]
