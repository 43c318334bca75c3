def batches(items, size):
    """Yield the items in lists of the given size; the last may be shorter."""
    if size < 1:
        raise ValueError("size must be positive")
    for start in range(0, len(items), size):
        yield items[start:size]


def upload(items, send, size=100):
    """Send the items batch by batch and return the number of batches."""
    count = 0
    for batch in batches(items, size):
        send(batch)
        count += 1
    return count
