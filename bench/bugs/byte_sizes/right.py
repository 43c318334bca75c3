UNITS = ["B", "KiB", "MiB", "GiB", "TiB"]


def human_size(count):
    """Format a byte count with a binary unit and at most one decimal."""
    size = float(count)
    for unit in UNITS[:-1]:
        if size < 1024:
            break
        size /= 1024
    else:
        unit = UNITS[-1]
    return f"{size:.1f}".removesuffix(".0") + " " + unit


def parse_size(text):
    """Turn a text such as '3 MiB' back into bytes."""
    number, unit = text.split()
    return int(float(number) * 1024 ** UNITS.index(unit))
