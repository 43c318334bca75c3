"""`guard hook`: the guard as a hook of coding agents."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from whet.cli.commands.shared import Json

if TYPE_CHECKING:
    from collections.abc import Callable

    from whet.app.agent_hook.agents import HookedAgent
    from whet.app.agent_hook.install import SettingsEdit, SettingsScope

EXAMPLES = {
    "hook": "whet guard hook --agent claude < event.json",
    "hook install": "whet guard hook install --agent claude --scope project",
    "hook uninstall": "whet guard hook uninstall --agent claude",
}
AgentName = Annotated[
    str,
    typer.Option("--agent", metavar="NAME", help="claude, codex, gemini, cursor or copilot."),
]
ScopeName = Annotated[
    str, typer.Option("--scope", metavar="SCOPE", help="project (the repository's settings) or user (yours).")
]
Yes = Annotated[bool, typer.Option("--yes", "-y", help="Write without asking.")]
group = typer.Typer(
    name="hook",
    invoke_without_command=True,
    rich_markup_mode=None,
    epilog=f"Example: {EXAMPLES['hook install']}",
)


@group.callback(epilog=f"Example: {EXAMPLES['hook install']}")
def hook(context: typer.Context, agent: AgentName = "") -> None:
    """Judge one call of a tool for a coding agent; `install` sets it up.

    Reads a hook event as JSON from standard input and answers in the agent's format. Exits with 2, which blocks the call,
    where it is refused or anything fails; with 0 otherwise.
    """
    if context.invoked_subcommand is not None:
        return
    from whet.cli.hook import run_hook

    run_hook(["guard", "hook", *(["--agent", agent] if agent else [])])


@group.command(epilog=f"Example: {EXAMPLES['hook install']}")
def install(agent: AgentName = "", scope: ScopeName = "project", yes: Yes = False, as_json: Json = False) -> int:
    """Show and write the settings that make an agent call the hook.

    Other settings stay as they are. Without --agent, the agents are those that have a settings folder there.
    """
    from whet.app.agent_hook.install import install_edit

    return _edit(install_edit, agent, scope, yes=yes, as_json=as_json, done="installed")


@group.command(epilog=f"Example: {EXAMPLES['hook uninstall']}")
def uninstall(agent: AgentName = "", scope: ScopeName = "project", yes: Yes = False, as_json: Json = False) -> int:
    """Remove the hook from the settings of an agent; show it first."""
    from whet.app.agent_hook.install import uninstall_edit

    return _edit(uninstall_edit, agent, scope, yes=yes, as_json=as_json, done="removed")


def _edit(
    edit_of: "Callable[[HookedAgent, SettingsScope, Path], SettingsEdit]",
    agent: str,
    scope: str,
    *,
    yes: bool,
    as_json: bool,
    done: str,
) -> int:
    from whet.cli.output import emit, say

    edits = [edit_of(known, _scope(scope), Path.cwd()) for known in _agents(agent, scope)]
    changed = [edit for edit in edits if edit.after != edit.before]
    if changed and not as_json:
        say(*(edit.diff.rstrip() for edit in changed))
    if changed and not yes:
        _confirm()
    for edit in changed:
        _apply(edit)
    if as_json:
        emit([{"agent": edit.agent.name, "file": str(edit.path), "changed": edit in changed} for edit in edits])
        return 0
    for edit in edits:
        say(f"{edit.agent.title}: {done if edit in changed else f'already {done}'} ({edit.path})")
        if edit.agent.note and edit in changed and done == "installed":
            say(f"  {edit.agent.note}")
    return 0


def _apply(edit: "SettingsEdit") -> None:
    from whet.app.agent_hook.install import apply

    apply(edit)


def _confirm() -> None:
    """Ask before anything is written. Without a terminal nobody can be asked."""
    import sys

    from whet.errors import UsageError

    if not sys.stdin.isatty():
        raise UsageError("nobody can be asked here, because standard input is not a terminal", "add --yes")
    if not typer.confirm("Write this?"):
        raise typer.Abort


def _scope(name: str) -> "SettingsScope":
    from whet.app.agent_hook.install import SettingsScope
    from whet.errors import UsageError

    if name not in list(SettingsScope):
        raise UsageError(f"no scope is called {name!r}", f"one of {', '.join(SettingsScope)}")
    return SettingsScope(name)


def _agents(name: str, scope: str) -> "list[HookedAgent]":
    """Return the agent of a name, or without a name all that are used here."""
    from whet.app.agent_hook.agents import AGENTS
    from whet.app.agent_hook.found import used_agents
    from whet.errors import UsageError

    if name and name not in AGENTS:
        raise UsageError(f"no agent is called {name!r}", f"one of {', '.join(AGENTS)}")
    agents = [AGENTS[name]] if name else used_agents(_scope(scope), Path.cwd())
    if not agents:
        raise UsageError("no coding agent has settings here", f"name one with --agent: {', '.join(AGENTS)}")
    return agents
