"""Recommend how a change to a recorded tool can be tested."""

from whet.app.project import Project
from whet.domain.recommendation import Recommendation, recommend
from whet.domain.version import Mode
from whet.errors import UsageError
from whet.store.executions import Executions

_MOST_CALLS = 1000


def recommend_for(project: Project, name: str) -> Recommendation:
    """Return the recommendation for a tool that an application has recorded, from its declared characteristics and its calls."""
    executions = Executions(project.state)
    versions = [tool for tool in executions.tools() if tool.name == name]
    if not versions:
        known = ", ".join(sorted({tool.name for tool in executions.tools()})[:8]) or "none"
        raise UsageError(f"no application has recorded a tool called {name!r}", f"tools on record: {known}")
    newest = versions[-1]
    calls = executions.calls(name, version=newest.version, limit=_MOST_CALLS)
    replayable = sum(call.replayable for call in calls)
    shadows = project.policy.deploy.trial is Mode.SHADOW
    return recommend(newest.characteristics, replayable, shadows=shadows)
