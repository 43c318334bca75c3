def split_seconds(total):
    """Split a number of seconds into (hours, minutes, seconds)."""
    hours = total // 3600
    minutes = (total // 60) % 60
    seconds = total % 60
    return hours, minutes, seconds


def format_duration(total):
    """Format seconds as 1h 02m 03s, leaving out hours when there are none."""
    if total < 0:
        raise ValueError("duration cannot be negative")
    hours, minutes, seconds = split_seconds(total)
    if hours:
        return f"{hours}h {minutes:02d}m {seconds:02d}s"
    return f"{minutes}m {seconds:02d}s"
