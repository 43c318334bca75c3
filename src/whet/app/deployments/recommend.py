"""Recommend how a change to a tool can be tested."""

from collections.abc import Callable, Mapping
from typing import Any

from whet.app.project import Project
from whet.domain.recommendation import Recommendation, recommend
from whet.domain.version import Mode
from whet.errors import UsageError
from whet.runtime.registry import declared_tool
from whet.runtime.tool import Tool
from whet.store.executions import Executions

_MOST_CALLS = 1000


def recommend_for(project: Project, tool: str | Tool | Callable[..., Any]) -> Recommendation:
    """Return the recommendation for a tool, from its declared characteristics and its captured calls.

    `tool` is the name of a tool that an application has recorded, or the tool itself, recorded or not.
    """
    executions = Executions(project.state)
    name = tool if isinstance(tool, str) else declared_tool(tool).name
    versions = [recorded for recorded in executions.tools() if recorded.name == name]
    calls = executions.calls(name, version=versions[-1].version, limit=_MOST_CALLS) if versions else ()
    if not isinstance(tool, str):
        characteristics = _declared(tool)
    elif versions:
        characteristics = versions[-1].characteristics
    else:
        known = ", ".join(sorted({recorded.name for recorded in executions.tools()})[:8]) or "none"
        raise UsageError(f"no application has recorded a tool called {name!r}", f"tools on record: {known}")
    replayable = sum(call.replayable for call in calls)
    return recommend(characteristics, replayable, shadows=project.policy.deploy.trial is Mode.SHADOW)


def _declared(tool: Tool | Callable[..., Any]) -> Mapping[str, object]:
    own = declared_tool(tool).characteristics
    return {field: getattr(own, field) for field in own.__slots__}
