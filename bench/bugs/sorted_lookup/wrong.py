def find_sorted(values, wanted):
    """Return the index of wanted in a sorted list, or -1."""
    low = 0
    high = len(values) - 1
    while low < high:
        middle = (low + high) // 2
        if values[middle] == wanted:
            return middle
        if values[middle] < wanted:
            low = middle + 1
        else:
            high = middle - 1
    return -1


def contains_sorted(values, wanted):
    """Tell whether a sorted list holds a value."""
    return find_sorted(values, wanted) != -1
