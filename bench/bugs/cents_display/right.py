def round_half_up(value: float, places: int = 2) -> float:
    """Round a non-negative amount, halves going up."""
    factor = 10 ** places
    return int(value * factor + 0.5) / factor


def price_text(value: float, currency: str = "EUR") -> str:
    """Format an amount with two decimals and a currency."""
    return f"{round_half_up(value):.2f} {currency}"


def whole_units(value: float) -> int:
    """Round an amount to whole units of the currency."""
    return int(round_half_up(value, 0))
