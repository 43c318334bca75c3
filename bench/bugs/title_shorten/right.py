def shorten(text: str, limit: int, mark: str = "...") -> str:
    """Cut a text to at most `limit` characters, the mark included."""
    if len(text) <= limit:
        return text
    if limit <= len(mark):
        return mark[:limit]
    return text[:limit - len(mark)].rstrip() + mark


def table_row(cells: list, width: int) -> str:
    """Join the cells, each shortened and padded to the width."""
    return " | ".join(shorten(cell, width).ljust(width) for cell in cells)
