"""`[deploy]` and `[retention]`: how a change goes out, and how long captured calls are kept."""

from typing import Annotated

from pydantic import AfterValidator, Field

from whet.config.section import Section
from whet.domain.tool_name import is_name
from whet.domain.version import Mode


def _tool_name(name: str) -> str:
    """Refuse what cannot be the name of a tool."""
    if not is_name(name):
        raise ValueError(f"{name!r} cannot be the name of a tool")
    return name


class DeployPolicy(Section):
    """`[deploy]`: the way a change is deployed.

    `branch` leaves the change on a branch of its own; `pr` opens a pull request, which people merge or close; `merge`
    moves the target branch; `hot_reload` also gives the new
    source to the processes that run it. `canary`, `ab` and `shadow` are `hot_reload` after a trial: on a share of the
    real calls, on half of them, or on their inputs in the sandbox.
    """

    strategy: str = "branch"
    canary_share: Annotated[float, Field(gt=0.0, le=0.5)] = 0.1
    trial_seconds: Annotated[int, Field(ge=0)] = 0
    shadow_seconds: Annotated[int, Field(ge=1)] = 3_600
    canary_seconds: Annotated[int, Field(ge=1)] = 14_400
    ab_seconds: Annotated[int, Field(ge=1)] = 86_400
    keys: dict[Annotated[str, AfterValidator(_tool_name)], Annotated[str, Field(min_length=1)]] = Field(
        default_factory=dict
    )
    significance: Annotated[float, Field(ge=0.8, lt=1.0)] = 0.95
    error_margin: Annotated[float, Field(gt=0.0, le=0.5)] = 0.01
    latency_margin: Annotated[float, Field(gt=0.0, le=5.0)] = 0.10
    mismatch_margin: Annotated[float, Field(gt=0.0, le=0.5)] = 0.01
    watch_seconds: Annotated[int, Field(ge=1)] = 300
    monitor_hours: Annotated[float, Field(ge=0, le=24 * 30)] = 24.0
    author: Annotated[str, Field(pattern=r"^[^<>\n]+ <[^<>\s]+>$")] = "whet <whet@localhost>"
    smoke: tuple[str, ...] = ()
    timeout_seconds: Annotated[int, Field(ge=1)] = 900

    @property
    def merges(self) -> bool:
        """True if whet may move the target branch."""
        return self.strategy != "branch"

    @property
    def requests(self) -> bool:
        """True if the change is offered as a pull request."""
        return self.strategy == "pr"

    @property
    def reloads(self) -> bool:
        """True if running applications get the new source."""
        return self.strategy == "hot_reload" or self.trial is not None

    @property
    def trial(self) -> Mode | None:
        """Return the kind of trial on real calls before the deployment; None if there is no trial."""
        return next((mode for mode in Mode if mode == self.strategy), None)

    @property
    def trial_limit_seconds(self) -> int:
        """Return how long a trial of this strategy may take."""
        kinds = {Mode.SHADOW: self.shadow_seconds, Mode.CANARY: self.canary_seconds, Mode.AB: self.ab_seconds}
        return self.trial_seconds or (kinds[self.trial] if self.trial else 0)


class RetentionPolicy(Section):
    """`[retention]`: the time that captured tool calls, and the texts of coding agents' exchanges, are kept.

    Hourly and daily totals are kept forever. Trials and watches need the totals per minute, so at least one day of them
    is kept.
    """

    successes_days: Annotated[float, Field(gt=0, le=3650)] = 7.0
    failures_days: Annotated[float, Field(gt=0, le=3650)] = 30.0
    minutes_days: Annotated[float, Field(ge=1, le=3650)] = 2.0
    most_calls: Annotated[int, Field(ge=0)] = 5_000_000
    exchanges_days: Annotated[float, Field(gt=0, le=3650)] = 30.0
