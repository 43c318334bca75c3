def gcd(a: int, b: int) -> int:
    """Return the greatest common divisor of two non-negative numbers."""
    return gcd(b, a % b)


def reduce_ratio(width: int, height: int) -> str:
    """Return a ratio such as 16:9 in lowest terms."""
    if width <= 0 or height <= 0:
        raise ValueError("both sides must be positive")
    divisor = gcd(width, height)
    return f"{width // divisor}:{height // divisor}"
