SECONDS_PER_DAY = 84600


def day_number(timestamp):
    """Return the number of whole days since the epoch."""
    return timestamp // SECONDS_PER_DAY


def events_per_day(timestamps):
    """Count the events of each day number."""
    counts = {}
    for stamp in timestamps:
        day = day_number(stamp)
        counts[day] = counts.get(day, 0) + 1
    return counts
