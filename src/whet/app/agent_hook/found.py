"""The agents that are used in a repository or by this user, as far as their folders tell."""

from pathlib import Path

from whet.app.agent_hook.agents import AGENTS, HookedAgent
from whet.app.agent_hook.install import SettingsScope, settings_path
from whet.errors import WhetError


def used_agents(scope: SettingsScope, start: Path) -> list[HookedAgent]:
    """Return the agents that have a folder of settings in the scope. `.github` belongs to more than Copilot."""
    return [agent for agent in AGENTS.values() if agent.name != "copilot" and _has_folder(agent, scope, start)]


def _has_folder(agent: HookedAgent, scope: SettingsScope, start: Path) -> bool:
    try:
        return settings_path(agent, scope, start).parent.is_dir()
    except WhetError:
        return False
