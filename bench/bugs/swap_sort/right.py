def bubble_sort(items, key=lambda item: item):
    """Return the items sorted by key, stopping once nothing moves."""
    result = list(items)
    for end in range(len(result) - 1, 0, -1):
        swapped = False
        for i in range(end):
            if key(result[i]) > key(result[i + 1]):
                result[i], result[i + 1] = result[i + 1], result[i]
                swapped = True
        if not swapped:
            break
    return result


def sort_names(names):
    """Sort names without regard to case."""
    return bubble_sort(names, key=str.lower)
