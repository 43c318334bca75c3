"""The entries of whet in the settings of coding agents: add them, find them, remove them."""

import json
import shlex
from copy import deepcopy
from typing import Any

from whet.app.agent_hook.agents import TIMEOUT_SECONDS, HookedAgent
from whet.errors import UsageError

Settings = dict[str, Any]
_MARK = "guard hook --agent "


def hook_command(program: str, agent: HookedAgent) -> str:
    """Return the command of the hook. Every failure, such as a missing program, ends with code 2, which blocks the call.

    `sh -c` makes it the same for agents that start hooks with the user's own shell.
    """
    call = f"{shlex.quote(program)} {_MARK}{agent.name}"
    failed = "{ [ $? -eq 2 ] || echo whet: the guard hook did not run, so the call is blocked >&2; exit 2; }"
    return f"sh -c {shlex.quote(f'{call} || {failed}')}"


def parse_settings(text: str, path: str) -> Settings:
    """Return the settings in a file. Refuse JSON with comments, which would be lost, and anything but an object."""
    try:
        settings = json.loads(text or "{}")
    except ValueError as problem:
        raise UsageError(
            f"{path} is not plain JSON: {problem}", "remove comments from it, or add the hook yourself"
        ) from None
    if not isinstance(settings, dict) or not isinstance(settings.get("hooks", {}), dict):
        raise UsageError(f"{path} does not hold settings as {path} should", "correct it, or add the hook yourself")
    return settings


def with_hook(settings: Settings, agent: HookedAgent, program: str) -> Settings:
    """Return the settings with whet's entry under each event of the agent; an older entry of whet is replaced."""
    new = {**agent.extra, **without_hook(settings, agent)}
    hooks = new.setdefault("hooks", {})
    for event in agent.events:
        hooks[event] = [*hooks.get(event, ()), _entry(agent, hook_command(program, agent))]
    return new


def without_hook(settings: Settings, agent: HookedAgent) -> Settings:
    """Return the settings without whet's entries, and without lists that are empty because of that."""
    new = deepcopy(settings)
    hooks = new.get("hooks", {})
    for event in agent.events:
        if not isinstance(hooks.get(event, []), list):
            raise UsageError(f"hooks.{event} is not a list in the settings of {agent.title}", "correct the file")
        rest = [kept for entry in hooks.get(event, ()) if (kept := _without_mark(entry, agent)) is not None]
        if rest:
            hooks[event] = rest
        else:
            hooks.pop(event, None)
    if "hooks" in settings and not hooks:
        del new["hooks"]
    return new


def has_hook(settings: Settings, agent: HookedAgent) -> bool:
    """True if every event of the agent that whet judges has an entry of whet."""
    hooks = settings.get("hooks", {})
    return all(any(_without_mark(entry, agent) != entry for entry in hooks.get(event, ())) for event in agent.events)


def as_text(settings: Settings, like: str) -> str:
    """Return settings as JSON, indented like the text that they replace."""
    second = next((line for line in like.splitlines()[1:] if line.strip()), "  ")
    indent = second[: len(second) - len(second.lstrip())] or "  "
    return json.dumps(settings, indent=indent, ensure_ascii=False) + "\n"


def is_empty(settings: Settings, agent: HookedAgent) -> bool:
    """True if nothing is left but the keys that every settings file of this agent has."""
    return all(key in agent.extra for key in settings)


def _entry(agent: HookedAgent, command: str) -> Settings:
    if agent.name == "cursor":
        return {"command": command, "timeout": TIMEOUT_SECONDS, "failClosed": True}
    if agent.name == "copilot":
        return {"type": "command", "bash": command, "timeoutSec": TIMEOUT_SECONDS}
    if agent.name == "gemini":
        hook = {"type": "command", "command": command, "name": "whet", "timeout": TIMEOUT_SECONDS * 1000}
    else:
        hook = {"type": "command", "command": command, "timeout": TIMEOUT_SECONDS}
    return {"matcher": "*", "hooks": [hook]}


def _without_mark(entry: Any, agent: HookedAgent) -> Any:
    """Return an entry without whet's hook; None if nothing else was in it."""
    if not isinstance(entry, dict):
        return entry
    if _is_own(entry, agent):
        return None
    hooks = entry.get("hooks")
    if not isinstance(hooks, list):
        return entry
    rest = [hook for hook in hooks if not (isinstance(hook, dict) and _is_own(hook, agent))]
    return entry if len(rest) == len(hooks) else {**entry, "hooks": rest} if rest else None


def _is_own(hook: Settings, agent: HookedAgent) -> bool:
    command = hook.get("command", hook.get("bash", ""))
    return isinstance(command, str) and f"{_MARK}{agent.name} " in f"{command} "
