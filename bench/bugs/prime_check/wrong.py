def is_prime(number):
    """Tell whether a whole number is prime."""
    if number < 2:
        return False
    divisor = 2
    while divisor * divisor <= number:
        return number % divisor != 0
    return True


def next_prime(number):
    """Return the smallest prime above a number."""
    number += 1
    while not is_prime(number):
        number += 1
    return number
