"""The course of a trial, minute by minute, computed again from the captured calls of both arms."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from math import log

from whet.app.project import Project
from whet.domain.captured import Rollup
from whet.domain.trial import Trial
from whet.domain.version import CANDIDATE, CONTROL, Mode
from whet.phases.deploy.traffic import Traffic, slow_limit_before, terms_of, total
from whet.statistics.arm import Arm
from whet.statistics.betting import average
from whet.statistics.by_key import benefit_by_key, combined, harm_by_key, is_by_key, worth_by_key
from whet.statistics.canary import EARLY, harm, worth
from whet.statistics.looks import MOST_LOOKS
from whet.statistics.terms import Terms
from whet.store.executions import Executions

_MINUTE = timedelta(minutes=1)


@dataclass(frozen=True)
class TrialLook:
    """The evidence after some calls of the candidate, as natural logs: that it is worse, and that it is good enough."""

    calls: int
    harm: float
    worth: float


@dataclass(frozen=True)
class TrialBounds:
    """The evidence that ends a trial, as natural logs."""

    harm: float
    worth: float


def bounds_of(project: Project, trial: Trial) -> TrialBounds:
    """Return the boundaries of a trial, as `whet.statistics` sets them for its mode."""
    alpha = terms_of(project.policy.deploy).alpha
    if trial.mode is Mode.AB:
        return TrialBounds(log(2 / alpha), log(2 / alpha))
    spent = (1 - EARLY) * alpha if trial.mode is Mode.CANARY else alpha
    return TrialBounds(log(1 / spent), log(1 / alpha))


def trial_series(project: Project, trial: Trial) -> list[TrialLook]:
    """Return the looks at a canary or A/B trial, one for each minute with calls.

    A shadow has only its last look. Minutes are deleted after a while; then the last look is all there is.
    """
    if trial.mode is Mode.SHADOW:
        return _last_look(trial)
    limit = slow_limit_before(Executions(project.state), trial.modules, trial.began)
    looks = _looks(trial, _rows(project, trial), limit, terms_of(project.policy.deploy))
    return looks or _last_look(trial)


def _rows(project: Project, trial: Trial) -> Sequence[Rollup]:
    executions = Executions(project.state)
    names = {tool.name for tool in executions.tools() if tool.module in trial.modules}
    if not names:
        return ()
    rows = executions.rollups(*sorted(names), since=trial.began - _MINUTE, length=_MINUTE)
    return [row for row in rows if row.began_at <= trial.ended]


def _looks(trial: Trial, rows: Sequence[Rollup], limit: int | None, terms: Terms) -> list[TrialLook]:
    looks = []
    for minute in sorted({row.began_at for row in rows}):
        old, new = (_until(rows, minute, arm) for arm in (CONTROL, CANDIDATE))
        if old.calls and new.calls:
            looks.append(_look(trial, old, new, limit, terms))
    return looks


def _until(rows: Iterable[Rollup], minute: datetime, arm: str) -> Traffic:
    return total(row for row in rows if row.arm == arm and row.began_at <= minute)


def _look(trial: Trial, old: Traffic, new: Traffic, limit: int | None, terms: Terms) -> TrialLook:
    control, candidate = old.arm(limit), new.arm(limit)
    if is_by_key(control, candidate):
        return _look_by_key(trial, control, candidate, terms)
    worse = average(list(harm(control, candidate, trial.share).values()))
    if trial.mode is Mode.AB:
        return TrialLook(new.calls, worse, average(list(harm(candidate, control, 1 - trial.share).values())))
    return TrialLook(new.calls, worse, min(worth(control, candidate, trial.share, terms).values()))


def _look_by_key(trial: Trial, control: Arm, candidate: Arm, terms: Terms) -> TrialLook:
    """Return the evidence of a trial by routing key, shifted so that the boundaries of other trials fit it too."""
    spent = log(MOST_LOOKS)
    worse = combined(harm_by_key(control, candidate, trial.share)) - spent
    if trial.mode is Mode.AB:
        return TrialLook(candidate.calls, worse, combined(benefit_by_key(control, candidate, trial.share)) - spent)
    worse += log(1 / (1 - EARLY))
    worth_of_it = min(worth_by_key(control, candidate, trial.share, terms).values()) - spent
    return TrialLook(candidate.calls, worse, worth_of_it)


def _last_look(trial: Trial) -> list[TrialLook]:
    """Return the look that the decision was made from, as the record has it; none if the trial ended without figures."""
    figures = trial.figures
    against = [figures[name] for name in ("more_errors", "more_slow_calls", "longer") if name in figures]
    against += [figures[name] for name in ("fails_more", "differs_more", "worse") if name in figures]
    in_favour = [figures[name] for name in ("errors_within", "duration_within", "agrees", "better") if name in figures]
    return [TrialLook(0, average(against), min(in_favour))] if against and in_favour else []
