def overlaps(first, second):
    """Tell whether two half-open (start, end) bookings share any time."""
    return first[0] < second[1] and second[0] <= first[1]


def can_book(existing, wanted):
    """Tell whether a wanted booking fits between the existing ones."""
    if wanted[0] >= wanted[1]:
        raise ValueError("booking must end after it starts")
    return not any(overlaps(slot, wanted) for slot in existing)
