"""Plots as inline SVG, made on the server. Pure: numbers in, markup out. Each has a title, a description and a table."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import isfinite

from markupsafe import Markup

from whet.domain.sanitize import one_line

WIDTH, HEIGHT = 640, 220
LEFT, RIGHT, TOP, BOTTOM = 56, 12, 14, 34


@dataclass(frozen=True)
class Plot:
    """A plot: its SVG, the sentence that says what it shows, and the numbers as a table."""

    svg: Markup
    sentence: str
    headings: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    captioned: bool = True
    """False if the plot itself already says its sentence in words."""


@dataclass(frozen=True)
class SequentialPoint:
    """One look at a trial: calls of the candidate so far, and the log-capital of the bets on harm and on worth."""

    calls: int
    harm: float
    worth: float


@dataclass(frozen=True)
class SequentialBounds:
    """The log-capital at which a trial is ended: `harm` takes the candidate back, `worth` keeps it."""

    harm: float
    worth: float


def sequential(points: Sequence[SequentialPoint], bounds: SequentialBounds, why: str) -> Plot:
    """Plot the evidence of a trial against both boundaries. Looking is free: the test may be looked at at any time."""
    points = [point for point in points if isfinite(point.harm) and isfinite(point.worth)]
    top = max([bounds.harm, bounds.worth, *(point.harm for point in points), *(point.worth for point in points)]) * 1.15
    low = min([0.0, *(point.harm for point in points), *(point.worth for point in points)])
    most = max((point.calls for point in points), default=1) or 1
    frame = _Frame(0, most, max(low, -top), top)
    parts = [
        frame.axes("calls of the candidate", "log of the evidence"),
        frame.level(bounds.harm, "bound-harm", "take back", above=bounds.harm >= bounds.worth),
        frame.level(bounds.worth, "bound-worth", "good enough", above=bounds.worth > bounds.harm),
        frame.line([(point.calls, point.harm) for point in points], "series-harm"),
        frame.line([(point.calls, point.worth) for point in points], "series-worth"),
    ]
    calls = points[-1].calls if points else 0
    sentence = f"After {calls:,} calls of the candidate: {one_line(why)}. Looking is free."
    rows = tuple((f"{point.calls:,}", f"{point.harm:.2f}", f"{point.worth:.2f}") for point in _thinned(points))
    return Plot(
        _svg("Evidence of the trial", sentence, parts),
        sentence,
        ("calls", f"harm (taken back at {bounds.harm:.2f})", f"worth (kept at {bounds.worth:.2f})"),
        rows,
    )


@dataclass(frozen=True)
class PlottedMinute:
    """A value in a minute, counted from the first one, on one side of a change."""

    minute: float
    value: float
    is_new: bool


def both_sides(
    title: str, unit: str, points: Sequence[PlottedMinute], changed_at_minute: float | None, sentence: str
) -> Plot:
    """Plot a value of the old and of the new version over time, with the deployment as a vertical line if there was one.

    The numbers are in the table that the page shows beside the plot.
    """
    last = max((point.minute for point in points), default=0.0) or 1
    frame = _Frame(0, last, 0, max([point.value for point in points], default=0.0) * 1.15 or 1)
    parts = [frame.axes("minutes", unit)]
    if changed_at_minute is not None:
        parts.append(frame.moment(changed_at_minute, "deployed"))
    for is_new, css in ((False, "series-old"), (True, "series-new")):
        side = [(point.minute, point.value) for point in points if point.is_new is is_new]
        parts.append(frame.line(side, css, origin=False))
    return Plot(_svg(title, sentence, parts), sentence, (), ())


def stacked_days(days: Sequence[str], series: Sequence[tuple[str, Sequence[int]]]) -> Plot:
    """Plot counts per day as stacked bars; `series` are (name, count on each day)."""
    totals = [sum(values[index] for _, values in series) for index in range(len(days))]
    frame = _Frame(0, max(len(days), 1), 0, max([*totals, 1]) * 1.1)
    parts, width = [frame.axes("", "proposals", whole=True), *frame.day_labels(days)], frame.x(1) - frame.x(0)
    for index in range(len(days)):
        height = 0
        for number, (_, values) in enumerate(series):
            if values[index]:
                parts.append(frame.bar(index, height, height + values[index], width, f"bar-{number}"))
                height += values[index]
    sums = ", ".join(f"{sum(values)} {name}" for name, values in series)
    sentence = f"In {len(days)} days: {sums}."
    rows = tuple(
        (day, *(str(values[index]) for _, values in series)) for index, day in enumerate(days) if totals[index]
    )
    return Plot(_svg("Proposals per day", sentence, parts), sentence, ("day", *(name for name, _ in series)), rows)


def shares(title: str, rows: Sequence[tuple[str, float, float, float, str]]) -> Plot:
    """Plot horizontal bars: (name, first part, second part, whole, words). The second part is hatched."""
    height = 26
    parts = []
    for index, (name, first, second, whole, words) in enumerate(rows):
        y, span = index * height, WIDTH - 110 - 190
        one = span * min(first / whole, 1) if whole else 0
        two = span * min(second / whole, 1 - one / span) if whole else 0
        parts.append(
            Markup(
                '<text class="label" x="102" y="{}" text-anchor="end">{}</text>'
                '<rect class="track" x="110" y="{}" width="{}" height="14" rx="3"/>'
                '<rect class="bar-0" x="110" y="{}" width="{:.1f}" height="14" rx="3"/>'
                '<rect class="hatched" x="{:.1f}" y="{}" width="{:.1f}" height="14" rx="3"/>'
                '<text class="label" x="{}" y="{}">{}</text>'
            ).format(
                y + 16, one_line(name), y + 5, span, y + 5, one, 110 + one, y + 5, two, WIDTH - 182, y + 16,
                one_line(words),
            )
        )  # fmt: skip
    sentence = "; ".join(f"{name}: {words}" for name, *_, words in rows) or "nothing to show yet"
    svg = _svg(title, sentence, parts, height=max(len(rows), 1) * height + 4)
    return Plot(svg, sentence, ("", ""), tuple((name, words) for name, *_, words in rows), captioned=False)


def _svg(title: str, description: str, parts: Iterable[Markup], height: int = HEIGHT) -> Markup:
    """Return an SVG. Its defs hold the pattern of hatched bars; colours come from the style sheet."""
    name = "".join(letter for letter in title.lower() if letter.isalnum())
    return Markup(
        '<svg class="plot" role="img" viewBox="0 0 {} {}" aria-labelledby="{}-t {}-d">'
        '<title id="{}-t">{}</title><desc id="{}-d">{}</desc>'
        '<defs><pattern id="hatch" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">'
        '<rect class="hatch-line" width="2" height="6"/></pattern></defs>{}</svg>'
    ).format(WIDTH, height, name, name, name, title, name, description, Markup("").join(parts))


class _Frame:
    """The mapping of values to the drawing area."""

    def __init__(self, x_low: float, x_high: float, y_low: float, y_high: float) -> None:
        self._x, self._x_span = x_low, (x_high - x_low) or 1
        self._y, self._y_span = y_low, (y_high - y_low) or 1

    def x(self, value: float) -> float:
        return LEFT + (value - self._x) / self._x_span * (WIDTH - LEFT - RIGHT)

    def y(self, value: float) -> float:
        return HEIGHT - BOTTOM - (value - self._y) / self._y_span * (HEIGHT - TOP - BOTTOM)

    def axes(self, x_name: str, y_name: str, *, whole: bool = False) -> Markup:
        ticks = Markup("").join(
            Markup('<line class="grid" x1="{}" x2="{}" y1="{:.1f}" y2="{:.1f}"/>'
                   '<text class="tick" x="{}" y="{:.1f}" text-anchor="end">{}</text>').format(
                LEFT, WIDTH - RIGHT, self.y(value), self.y(value), LEFT - 6, self.y(value) + 4, f"{value:g}")
            for value in _ticks(self._y, self._y + self._y_span, whole=whole)
        )  # fmt: skip
        return ticks + Markup(
            '<text class="axis" x="{}" y="{}" text-anchor="end">{}</text><text class="axis" x="4" y="11">{}</text>'
        ).format(WIDTH - RIGHT, HEIGHT - 6, x_name, y_name)

    def level(self, value: float, css: str, words: str, *, above: bool) -> Markup:
        return Markup(
            '<line class="bound {}" x1="{}" x2="{}" y1="{:.1f}" y2="{:.1f}"/>'
            '<text class="bound-name {}" x="{}" y="{:.1f}">{}</text>'
        ).format(
            css, LEFT, WIDTH - RIGHT, self.y(value), self.y(value), css, LEFT + 6,
            self.y(value) + (-5 if above else 14), words,
        )  # fmt: skip

    def moment(self, value: float, words: str) -> Markup:
        """Return a vertical line with its name."""
        x = self.x(value)
        return Markup(
            '<line class="bound moment" x1="{:.1f}" x2="{:.1f}" y1="{}" y2="{}"/>'
            '<text class="label" x="{:.1f}" y="{}" text-anchor="end">{}</text>'
        ).format(x, x, TOP, HEIGHT - BOTTOM, x - 5, TOP + 10, words)

    def line(self, points: Sequence[tuple[float, float]], css: str, *, origin: bool = True) -> Markup:
        if not points:
            return Markup()
        path = " ".join(f"{self.x(x):.1f},{self.y(y):.1f}" for x, y in [*([(0, 0)] if origin else []), *points])
        x, y = points[-1]
        return Markup(
            '<polyline class="series {}" points="{}"/><circle class="{}" cx="{:.1f}" cy="{:.1f}" r="3"/>'
        ).format(css, path, css, self.x(x), self.y(y))

    def bar(self, index: int, low: float, high: float, width: float, css: str) -> Markup:
        return Markup('<rect class="{}" x="{:.1f}" y="{:.1f}" width="{:.1f}" height="{:.1f}"/>').format(
            css, self.x(index) + 1, self.y(high), max(width - 2, 0.5), self.y(low) - self.y(high)
        )

    def day_labels(self, days: Sequence[str]) -> list[Markup]:
        shown = [index for index in range(len(days)) if index in (0, len(days) // 2, len(days) - 1)]
        return [
            Markup('<text class="tick" x="{:.1f}" y="{}" text-anchor="{}">{}</text>').format(
                self.x(index), HEIGHT - 16, "end" if index == len(days) - 1 else "start", days[index]
            )
            for index in shown
        ]


def _ticks(low: float, high: float, *, whole: bool) -> list[float]:
    """Return up to six round values of a range; only whole numbers for counts."""
    span = high - low
    steps = [base * 10.0**power for power in range(-3, 7) for base in (1, 2, 5)]
    step = next((step for step in steps if span / step <= 5 and (step >= 1 or not whole)), steps[-1])
    first = int(low / step)
    return [round(step * index, 6) for index in range(first, int(high / step) + 1) if low <= step * index <= high]


def _thinned(points: Sequence[SequentialPoint], most: int = 60) -> Sequence[SequentialPoint]:
    """Return at most about `most` points, the last one included."""
    step = max(1, len(points) // most)
    kept = list(points[::step])
    return kept if not points or kept[-1] is points[-1] else [*kept, points[-1]]


__all__ = [
    "Plot",
    "PlottedMinute",
    "SequentialBounds",
    "SequentialPoint",
    "both_sides",
    "sequential",
    "shares",
    "stacked_days",
]
