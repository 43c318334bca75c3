"""Signs, in captured calls and in later findings, that a deployed change does not hold."""

from collections.abc import Iterable
from datetime import datetime

from whet.domain.decision import State
from whet.domain.deployment import Deployment
from whet.domain.suite import Outcome
from whet.domain.version import CURRENT, digest_of
from whet.git.git import Git
from whet.phases.deploy.traffic import TrafficCounts, raised_limit
from whet.statistics.terms import Terms
from whet.statistics.watch import decide_watch
from whet.store.executions import Executions
from whet.target.suite import Suite

_RUNS = 3


def harm_in_calls(
    executions: Executions,
    git: Git,
    deployment: Deployment,
    paths: Iterable[str],
    signature: str,
    since: datetime,
    terms: Terms,
) -> str:
    """Return what captured calls of the deployed source show against it; empty if nothing is proven.

    Only calls of exactly the deployed source count: a process that still runs the old source says nothing.
    """
    names = list(paths)
    deployed, before = _versions(git, deployment.after, names), _versions(git, deployment.before, names)
    modules = {tool.module for tool in executions.tools() if tool.version in deployed}
    if not modules:
        return ""
    new = TrafficCounts(executions, modules, since).traffic(deployed, CURRENT)
    old = TrafficCounts(executions, modules).traffic(before - deployed, CURRENT).without_failure(signature)
    limit = old.slow_above()
    limit_since = raised_limit(limit, terms.latency_margin)
    recurrences = new.failures.get(signature, 0) if signature else 0
    decision = decide_watch(old.arm(limit), new.arm(limit_since), recurrences, terms, time_is_up=False)
    return decision.why if decision.state is State.ROLLBACK else ""


def calls_since(executions: Executions, git: Git, deployment: Deployment, paths: Iterable[str], since: datetime) -> int:
    """Return the number of captured calls of the deployed source."""
    deployed = _versions(git, deployment.after, paths)
    modules = {tool.module for tool in executions.tools() if tool.version in deployed}
    return TrafficCounts(executions, modules, since).traffic(deployed, CURRENT).calls if modules else 0


def red_again(suite: Suite, tree: str, targets: Iterable[str]) -> str | None:
    """Run the target tests on the deployed tree several times; return those that are not green, or an empty string.

    None if there is no such test, or if a run broke off: then nothing was seen.
    """
    tests = [target for target in targets if "::" in target]
    if not tests:
        return None
    for _ in range(_RUNS):
        report = suite.run(tree, tests)
        if not report.complete:
            return None
        red = [test for test in tests if report.outcomes.get(test) is not Outcome.PASSED]
        if red:
            return ", ".join(red[:3])
    return ""


def _versions(git: Git, commit: str, paths: Iterable[str]) -> frozenset[str]:
    contents = (git.read(commit, path) for path in paths)
    return frozenset(digest_of(content)[:16] for content in contents if content is not None)
