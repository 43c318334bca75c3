"""A trial that runs: its calls so far, and the trial as it stands now."""

from dataclasses import dataclass

from whet.app.project import Project
from whet.domain.clock import now
from whet.domain.decision import State
from whet.domain.trial import Trial, TrialBegun
from whet.domain.version import CANDIDATE, CONTROL, Manifest, Mode
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
        manifests = _on_trial(project, trial)
        if not manifests:
            return None
        tried = {manifest.module: manifest.candidate.digest[:16] for manifest in manifests if manifest.candidate}
        counts = TrafficCounts(Executions(project.state), tried, trial.at)
    except WhetError:
        return None
    current = [manifest.current.short for manifest in manifests]
    new, old = counts.traffic(list(tried.values()), CANDIDATE), counts.traffic(current, CONTROL)
    return TrialCalls(candidate=new.calls, candidate_errors=new.errors, old=old.calls, old_errors=old.errors)


def trial_until_now(project: Project, begun: TrialBegun) -> Trial | None:
    """Return a trial that runs as if it ended now, without a decision; None if its calls cannot be counted.

    In a shadow trial no caller gets the candidate's answer, so there are no calls to count.
    """
    try:
        modules = tuple(manifest.module for manifest in _on_trial(project, begun))
    except WhetError:
        return None
    if begun.mode is Mode.SHADOW or not modules:
        return None
    return Trial(
        proposal=begun.proposal, deployment=begun.deployment, modules=modules, share=begun.share, state=State.HOLD,
        why="no decision yet", began=begun.at, ended=min(now(), begun.until), mode=begun.mode,
    )  # fmt: skip


def _on_trial(project: Project, trial: TrialBegun) -> list[Manifest]:
    """Return the manifests of the modules that are on trial in a deployment."""
    versions = Versions(project.state)
    manifests = [manifest for module in versions.modules() if (manifest := versions.manifest(module))]
    return [each for each in manifests if each.candidate and each.candidate.deployment == trial.deployment]
