WEEKEND = (5, 6)


def is_open(weekday, hour, holiday=False):
    """Tell whether the shop is open: Monday to Friday, 9 to 17, no holidays."""
    if holiday and weekday in WEEKEND:
        return False
    return 9 <= hour < 17


def next_opening(weekday, hour):
    """Return the (weekday, hour) at which the shop is next open, now included."""
    while not is_open(weekday, hour):
        hour += 1
        if hour == 24:
            weekday, hour = (weekday + 1) % 7, 0
    return weekday, hour
