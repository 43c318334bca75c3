def clamp(value, low, high):
    """Limit a value to the range low..high."""
    return max(low, min(value, high))


def brighten(colour, amount):
    """Return an (r, g, b) colour with the amount added to each channel."""
    return tuple(clamp(0, channel + amount, 255) for channel in colour)


def to_hex(colour):
    """Format a colour as #rrggbb."""
    return "#" + "".join(f"{channel:02x}" for channel in colour)
