"""The plots of errors and latency on both sides of a change, and the table beside them."""

from dataclasses import dataclass

from whet.app.views.call_rates import CallRates, RatesBesideChange
from whet.web.pages.figures.plots import Plot, PlottedMinute, both_sides


@dataclass(frozen=True, kw_only=True)
class ShownRates:
    """The rates of both versions as table rows (name, old, new), and as plots over time."""

    titles: tuple[str, str]
    rows: tuple[tuple[str, str, str], ...]
    plots: tuple[Plot, ...]


def show_rates(beside: RatesBesideChange, name: str) -> ShownRates:
    """Return what the page shows. `name` tells the plots of one page apart."""
    old, new = beside.old, beside.new
    titles = ("before", "after") if beside.changed_at else ("old version", "candidate")
    rows = (
        ("calls", f"{old.calls:,}", f"{new.calls:,}"),
        ("calls per minute", f"{old.per_minute:.1f}", f"{new.per_minute:.1f}"),
        ("failed", _failed(old), _failed(new)),
        ("mean latency", _time(old.mean_ns), _time(new.mean_ns)),
        ("95th percentile", _time(old.slowest_ns), _time(new.slowest_ns)),
    )
    return ShownRates(titles=titles, rows=rows, plots=tuple(_plots(beside, titles, name)))


def _plots(beside: RatesBesideChange, titles: tuple[str, str], name: str) -> list[Plot]:
    start = min(minute.at for minute in beside.minutes)
    changed = (beside.changed_at - start).total_seconds() / 60 if beside.changed_at else None
    errors, latency = [], []
    for minute in beside.minutes:
        x = (minute.at - start).total_seconds() / 60
        errors.append(PlottedMinute(x, minute.rates.error_rate * 100, minute.is_new))
        if minute.rates.mean_ns is not None:
            latency.append(PlottedMinute(x, minute.rates.mean_ns / 1e6, minute.is_new))
    old, new = beside.old, beside.new
    failed = f"Failed calls, {titles[0]} (dashed) {_failed(old)}, {titles[1]} {_failed(new)}."
    slow = f"Mean latency, {titles[0]} (dashed) {_time(old.mean_ns)}, {titles[1]} {_time(new.mean_ns)}."
    plots = [both_sides(f"Errors {name}", "% of the calls that failed", errors, changed, failed)]
    return [*plots, both_sides(f"Latency {name}", "mean latency in ms", latency, changed, slow)] if latency else plots


def _failed(rates: CallRates) -> str:
    return f"{rates.errors:,} ({rates.error_rate:.2%})"


def _time(nanoseconds: float | None) -> str:
    if nanoseconds is None:
        return "not timed"
    return f"{nanoseconds / 1e6:,.3g} ms" if nanoseconds < 1e9 else f"{nanoseconds / 1e9:,.2f} s"
