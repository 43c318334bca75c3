"""The calls of a trial that runs: how many of each version were recorded so far."""

from dataclasses import dataclass

from whet.app.project import Project
from whet.domain.trial import TrialBegun
from whet.domain.version import CANDIDATE, CONTROL, Mode
from whet.errors import WhetError
from whet.phases.deploy.traffic import TrafficCounts
from whet.store.executions import Executions
from whet.store.versions import Versions


@dataclass(frozen=True, kw_only=True)
class TrialCalls:
    """Calls and errors of the candidate and of the version beside it."""

    candidate: int
    candidate_errors: int
    old: int
    old_errors: int


def trial_calls(project: Project, trial: TrialBegun) -> TrialCalls | None:
    """Return the calls since a trial began; None if no module is on trial, or if the records cannot be read.

    In a shadow trial no caller gets the candidate's answer, so there are no calls to count.
    """
    if trial.mode is Mode.SHADOW:
        return None
    try:
        versions = Versions(project.state)
        manifests = [manifest for module in versions.modules() if (manifest := versions.manifest(module))]
        tried = {
            manifest.module: manifest.candidate.digest[:16]
            for manifest in manifests
            if manifest.candidate and manifest.candidate.deployment == trial.deployment
        }
        if not tried:
            return None
        counts = TrafficCounts(Executions(project.state), tried, trial.at)
    except WhetError:
        return None
    current = [manifest.current.short for manifest in manifests if manifest.module in tried]
    new, old = counts.traffic(list(tried.values()), CANDIDATE), counts.traffic(current, CONTROL)
    return TrialCalls(candidate=new.calls, candidate_errors=new.errors, old=old.calls, old_errors=old.errors)
