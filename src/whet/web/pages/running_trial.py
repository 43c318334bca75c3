"""A trial without a result, as the page of its proposal shows it."""

from dataclasses import dataclass
from datetime import datetime

from whet.app.project import Project
from whet.app.views.call_rates import trial_rates
from whet.app.views.trial_calls import trial_until_now
from whet.domain.trial import TrialBegun
from whet.web.pages.figures.plots import Plot
from whet.web.pages.figures.rates_plot import ShownRates, show_rates
from whet.web.pages.figures.trial_plot import trial_plot


@dataclass(frozen=True)
class RunningTrial:
    """A trial without a result. `plot` and `rates` are None if no call can be counted; `over` if its time has passed."""

    begun: TrialBegun
    over: bool
    plot: Plot | None
    rates: ShownRates | None


def running_trial(project: Project, begun: TrialBegun, at: datetime) -> RunningTrial:
    """Return a trial as it stands now."""
    trial = trial_until_now(project, begun)
    beside = trial_rates(project, trial) if trial else None
    return RunningTrial(
        begun,
        over=at >= begun.until,
        plot=trial_plot(project, trial) if trial else None,
        rates=show_rates(beside, "in the trial that runs") if beside else None,
    )
