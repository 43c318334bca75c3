"""Signals for metrics that drift: failure rates, durations and values of what was reported.

The window is divided into 24 steps; the last six are compared with the 18 before. Each drift names the other metrics whose
changes go with it.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta

from whet.config import SourcesPolicy
from whet.domain.reported import ChangedMetric
from whet.domain.reported_event import EventKind
from whet.domain.signal import Signal
from whet.intake.skips import Skips
from whet.statistics.series.correlation import correlations
from whet.statistics.series.drift import Drift, rate_drift, trend_drift, value_drift
from whet.statistics.series.two_windows import FEWEST
from whet.store.events import Events, StepTotals

STEPS, RECENT = 24, 6
MOST_METRICS = 50
_MOST_RELATED = 3
_WHY_NOT = "a report shows it, and no test does, so no fix could be proved"


@dataclass
class _Metric:
    """The steps of one subject and kind of event, by number."""

    subject: str
    kind: EventKind
    steps: dict[int, StepTotals] = field(default_factory=dict)

    def counts(self, first: int, last: int) -> tuple[int, int]:
        """Return the failures and the events of the steps from `first` to before `last`."""
        chosen = [step for number, step in self.steps.items() if first <= number < last]
        return sum(step.failures for step in chosen), sum(step.events for step in chosen)

    @property
    def series(self) -> dict[str, list[float]]:
        """Return the values of each quantity, if every step has one."""
        ordered = [self.steps[number] for number in range(STEPS) if number in self.steps]
        if len(ordered) < STEPS:
            return {}
        rates = {f"failure rate of {self.subject}": [step.failures / step.events for step in ordered]}
        means = [step.mean for step in ordered if step.mean is not None]
        name = self.subject if self.kind is EventKind.METRIC else f"duration of {self.subject}"
        return {**({} if self.kind is EventKind.METRIC else rates), **({name: means} if len(means) == STEPS else {})}


def changed_metrics(
    source: str, events: Events, since: datetime, now: datetime, policy: SourcesPolicy, skips: Skips
) -> Iterator[Signal]:
    """Yield a signal for each recent time step of each drifting metric. The first carries the numbers of the drift."""
    step = (now - since) / STEPS
    metrics = _metrics(events.steps(source, since, step))
    busiest = sorted(metrics, key=lambda metric: -metric.counts(0, STEPS)[1])
    if len(busiest) > MOST_METRICS:
        skips.add("", "metric", f"only the {MOST_METRICS} busiest are looked at", len(busiest) - MOST_METRICS)
    looked_at = busiest[:MOST_METRICS]
    recent_from = since + step * (STEPS - RECENT)
    drifts = [
        (metric, name, drift)
        for metric in looked_at
        for name, drift in _drifts(metric, source, events, (since, recent_from, now), policy.drift, len(looked_at))
    ]
    if not drifts:
        return
    series = {name: values for metric in looked_at for name, values in metric.series.items()}
    related = _related(series, policy.correlation)
    for metric, name, drift in drifts:
        yield from _signals(source, metric, name, drift, related.get(name, ()), since, step)


def _metrics(steps: Sequence[StepTotals]) -> list[_Metric]:
    metrics: dict[tuple[str, EventKind], _Metric] = {}
    for step in steps:
        metric = metrics.setdefault((step.subject, step.kind), _Metric(step.subject, step.kind))
        metric.steps[min(step.number, STEPS - 1)] = step
    return [metric for metric in metrics.values() if metric.counts(0, STEPS)[1] >= FEWEST]


def _drifts(
    metric: _Metric, source: str, events: Events, times: tuple[datetime, datetime, datetime], least: float, looks: int
) -> Iterator[tuple[str, Drift]]:
    before, recent = metric.counts(0, STEPS - RECENT), metric.counts(STEPS - RECENT, STEPS)
    if metric.kind is not EventKind.METRIC and (drift := rate_drift(before, recent, least, looks)):
        yield f"failure rate of {metric.subject}", drift
    if min(before[1], recent[1]) < FEWEST or metric.kind is EventKind.LOG:
        return
    since, recent_from, now = times
    old = events.samples(source, metric.subject, metric.kind, since, recent_from)
    new = events.samples(source, metric.subject, metric.kind, recent_from, now)
    if metric.kind is EventKind.SPAN:
        drift = value_drift(old, new, least, looks)
        if drift and drift.size > 0:
            yield f"duration of {metric.subject}", drift
    else:
        steps = [step.mean for _, step in sorted(metric.steps.items()) if step.mean is not None]
        if drift := value_drift(old, new, least, looks) or trend_drift(steps, least, looks):
            yield metric.subject, drift


def _related(series: Mapping[str, Sequence[float]], least: float) -> dict[str, tuple[str, ...]]:
    """Return for each series those that change together with it, in words."""
    related: dict[str, list[str]] = defaultdict(list)
    for pair in correlations(series, least):
        related[pair.first].append(f"{pair.second} ({pair.rho:+.2f})")
        related[pair.second].append(f"{pair.first} ({pair.rho:+.2f})")
    return {name: tuple(others[:_MOST_RELATED]) for name, others in related.items()}


def _signals(
    source: str, metric: _Metric, name: str, drift: Drift, related: tuple[str, ...], since: datetime, step: timedelta
) -> Iterator[Signal]:
    facts = ChangedMetric(
        metric=name,
        how=drift.how,
        before=drift.before,
        recent=drift.recent,
        size=drift.size,
        events=metric.counts(0, STEPS)[1],
        related=related,
        why_not=_WHY_NOT,
    )
    recent = [number for number in sorted(metric.steps, reverse=True) if number >= STEPS - RECENT]
    for place, number in enumerate(recent):
        rate = metric.steps[number].failures / metric.steps[number].events
        value = rate if drift.how == "rate" else metric.steps[number].mean
        payload = facts if place == 0 else replace(ChangedMetric(), metric=name)
        yield Signal.of(source, metric.subject, payload, since + step * number, value)
