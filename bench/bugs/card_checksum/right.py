def luhn_sum(digits):
    """Return the Luhn sum of a list of digits, check digit included."""
    total = 0
    for position, digit in enumerate(reversed(digits)):
        if position % 2 == 1:
            digit *= 2
            if digit > 9:
                digit -= 9
        total += digit
    return total


def is_valid_card(number):
    """Tell whether a card number, possibly with spaces, passes the Luhn test."""
    compact = number.replace(" ", "")
    if not compact.isdigit():
        return False
    return luhn_sum([int(c) for c in compact]) % 10 == 0
