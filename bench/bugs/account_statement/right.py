def running_balance(opening, movements):
    """Return the balance after each movement."""
    balance = opening
    history = []
    for amount in movements:
        balance += amount
        history.append(balance)
    return history


def lowest_balance(opening, movements):
    """Return the lowest balance ever reached, the opening one included."""
    return min([opening] + running_balance(opening, movements))
