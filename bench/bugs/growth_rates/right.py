def percent_change(old, new):
    """Return the change from old to new in percent of old."""
    if old == 0:
        raise ZeroDivisionError("no change can be given from zero")
    return (new - old) * 100 / old


def yearly_growth(figures):
    """Return {year: change against the year before} for sorted years."""
    years = sorted(figures)
    growth = {}
    for previous, current in zip(years, years[1:]):
        growth[current] = percent_change(figures[previous], figures[current])
    return growth
