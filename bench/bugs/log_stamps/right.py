from datetime import datetime

STAMP = "%Y-%m-%d %H:%M:%S"


def parse_line(line):
    """Split a log line into its (time, level, message)."""
    time_text, level, message = line.split(" | ", 2)
    return datetime.strptime(time_text, STAMP), level.strip(), message


def seconds_between(first, second):
    """Return the seconds from one log line to another."""
    return (parse_line(second)[0] - parse_line(first)[0]).total_seconds()
