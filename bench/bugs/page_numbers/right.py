def page_count(total: int, per_page: int) -> int:
    """Return how many pages are needed to show `total` items."""
    if per_page <= 0:
        raise ValueError("per_page must be positive")
    return (total + per_page - 1) // per_page


def page_items(items: list, page: int, per_page: int) -> list:
    """Return the items of the given 1-based page."""
    if not 1 <= page <= max(1, page_count(len(items), per_page)):
        raise IndexError(f"no page {page}")
    start = (page - 1) * per_page
    return items[start:start + per_page]
