def gets_discount(customer, total):
    """Members always, others only from 100 on; never when blocked."""
    if customer.get("blocked"):
        return False
    return customer.get("member", False) and total >= 100


def amount_due(customer, total):
    """Return the total less ten percent for those who get the discount."""
    if gets_discount(customer, total):
        return total * 90 // 100
    return total
