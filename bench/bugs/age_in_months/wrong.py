from datetime import date


def months_between(start: date, end: date) -> int:
    """Return the number of whole months from start to end."""
    if end < start:
        raise ValueError("end lies before start")
    months = (end.year - start.year) * 12 + end.month - start.month
    if end.day < start.month:
        months -= 1
    return months


def age_text(born: date, today: date) -> str:
    """Describe an age in years and months."""
    years, months = divmod(months_between(born, today), 12)
    return f"{years}y {months}m"
