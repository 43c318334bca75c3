"""The sequential plot of a trial, from the captured calls of both arms."""

from whet.app.project import Project
from whet.app.views.proposal_view import ProposalView
from whet.app.views.trial_series import bounds_of, trial_series
from whet.domain.trial import Trial
from whet.web.pages.figures.plots import Plot, SequentialBounds, SequentialPoint, sequential


def trial_plots(project: Project, view: ProposalView) -> tuple[Plot, ...]:
    """Return the plot of each finished trial of a proposal."""
    return tuple(trial_plot(project, trial) for trial in view.trials)


def trial_plot(project: Project, trial: Trial) -> Plot:
    """Return the plot of one trial."""
    points = [SequentialPoint(look.calls, look.harm, look.worth) for look in trial_series(project, trial)]
    bounds = bounds_of(project, trial)
    return sequential(points, SequentialBounds(harm=bounds.harm, worth=bounds.worth), trial.why)
