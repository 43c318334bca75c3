from datetime import date, timedelta


def stay_length(first: date, last: date) -> int:
    """Return the number of days from first to last, both counted."""
    if last < first:
        raise ValueError("last lies before first")
    return (last - first).days + 1


def stay_days(first: date, last: date) -> list:
    """Return every day from first to last, both included."""
    days = []
    day = first
    while day <= last:
        days.append(day)
        day += timedelta(days=1)
    return days
