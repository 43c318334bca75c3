"""The errors and the latency of captured calls on both sides of a change: beside each other in a trial, before and after
a deployment in a watch."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import groupby

from whet.app.project import Project
from whet.domain.captured import Rollup
from whet.domain.deployment import Deployment
from whet.domain.execution import bucket_middle
from whet.domain.trial import Trial, Watch
from whet.domain.version import CANDIDATE, CONTROL, CURRENT, Mode, digest_of
from whet.errors import WhetError
from whet.git.git import Git
from whet.phases.deploy.traffic import total
from whet.store.executions import Executions

_MINUTE = timedelta(minutes=1)
_AT_LEAST = timedelta(hours=1)


@dataclass(frozen=True, kw_only=True)
class CallRates:
    """The calls of one version in some minutes. Latencies are in nanoseconds, None if no call was timed."""

    calls: int
    errors: int
    minutes: int
    mean_ns: float | None
    slowest_ns: float | None

    @property
    def error_rate(self) -> float:
        return self.errors / self.calls if self.calls else 0.0

    @property
    def per_minute(self) -> float:
        return self.calls / self.minutes if self.minutes else 0.0


@dataclass(frozen=True, kw_only=True)
class RatesOfMinute:
    """The calls of one minute, on the side `is_new` of a change."""

    at: datetime
    is_new: bool
    rates: CallRates


@dataclass(frozen=True, kw_only=True)
class RatesBesideChange:
    """Both sides of a change. `changed_at` is the deployment; None in a trial, where both run at the same time."""

    old: CallRates
    new: CallRates
    minutes: tuple[RatesOfMinute, ...]
    changed_at: datetime | None


def trial_rates(project: Project, trial: Trial) -> RatesBesideChange | None:
    """Return the calls of both versions in a trial; None if no call of it is kept, or if it answered no caller."""
    if trial.mode is Mode.SHADOW:
        return None
    rows = _rows(project, frozenset(trial.modules), trial.began, trial.ended)
    return _beside(rows, lambda row: row.arm == CONTROL, lambda row: row.arm == CANDIDATE, None)


def watch_rates(project: Project, deployment: Deployment, watch: Watch) -> RatesBesideChange | None:
    """Return the calls before a deployment and in its watch, for equal lengths of time but at least an hour; None if no
    call is kept. Only calls of exactly the old and the new source of the changed files count."""
    try:
        changes = project.git.changes(deployment.before, deployment.after)
        names = [change.path for change in changes]
        new, old = (_versions(project.git, commit, names) for commit in (deployment.after, deployment.before))
        modules = frozenset(tool.module for tool in Executions(project.state).tools() if tool.version in new)
    except WhetError:
        return None
    length = max(watch.ended - watch.began, _AT_LEAST)
    rows = _rows(project, modules, watch.began - length, watch.ended)
    before = old - new
    return _beside(
        rows,
        lambda row: row.version in before and row.arm == CURRENT,
        lambda row: row.version in new and row.arm == CURRENT,
        watch.began,
    )


def _versions(git: Git, commit: str, paths: Iterable[str]) -> frozenset[str]:
    contents = (git.read(commit, path) for path in paths)
    return frozenset(digest_of(content)[:16] for content in contents if content is not None)


def _rows(project: Project, modules: frozenset[str], since: datetime, until: datetime) -> list[Rollup]:
    try:
        executions = Executions(project.state)
        names = {tool.name for tool in executions.tools() if tool.module in modules}
        rows = executions.rollups(*sorted(names), since=since - _MINUTE, length=_MINUTE) if names else ()
    except WhetError:
        return []
    return [row for row in rows if row.began_at <= until]


def _beside(
    rows: list[Rollup],
    is_old: Callable[[Rollup], bool],
    is_new: Callable[[Rollup], bool],
    changed_at: datetime | None,
) -> RatesBesideChange | None:
    rows = sorted(rows, key=lambda row: row.began_at)
    old, new = [row for row in rows if is_old(row)], [row for row in rows if is_new(row)]
    if not old or not new:
        return None
    minutes = [
        RatesOfMinute(at=at, is_new=side is new, rates=_rates(rows_of_minute))
        for side in (old, new)
        for at, rows_of_minute in groupby(side, key=lambda row: row.began_at)
    ]
    return RatesBesideChange(old=_rates(old), new=_rates(new), minutes=tuple(minutes), changed_at=changed_at)


def _rates(rows: Iterable[Rollup]) -> CallRates:
    rows = list(rows)
    traffic = total(rows)
    slow = traffic.slow_above()
    timed = sum(row.timed for row in rows)
    return CallRates(
        calls=traffic.calls,
        errors=traffic.errors,
        minutes=len({row.began_at for row in rows}),
        mean_ns=sum(row.duration_ns for row in rows) / timed if timed else None,
        slowest_ns=None if slow is None else bucket_middle(slow),
    )
