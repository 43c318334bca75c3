"""Read a hook event of a coding agent."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from whet.app.agent_hook.agents import AGENTS, HookedAgent
from whet.domain.tool import Caller, ToolCall
from whet.domain.tool_name import is_name
from whet.errors import BadHookEvent, UsageError

MOST_BYTES = 16 * 1024 * 1024
_REMEDY = "the call is blocked; compare the agent's settings with `whet guard hook install`, and report a new format"


@dataclass(frozen=True, kw_only=True)
class Event:
    """One call of a tool, as an agent announced it to its hook. `asks` says whether the agent can ask its user."""

    agent: HookedAgent
    name: str
    call: ToolCall
    caller: Caller
    folder: str
    asks: bool = True


def read_event(raw: bytes, agent: str | None, folder: str) -> Event:
    """Parse an event; without the agent's name the format is recognised. `folder` is used if the event names none."""
    if len(raw) > MOST_BYTES:
        raise BadHookEvent(f"the hook event is larger than {MOST_BYTES // 1024 // 1024} MB", _REMEDY)
    try:
        event = json.loads(raw, object_pairs_hook=_unique)
    except (ValueError, RecursionError) as problem:
        raise BadHookEvent(f"the hook event is not JSON: {problem}", _REMEDY) from None
    if not isinstance(event, dict):
        raise BadHookEvent("the hook event is not a JSON object", _REMEDY)
    known = _known(agent) if agent else _recognised(event)
    if known.name == "cursor":
        return _cursor(event, known, folder)
    return _copilot(event, known, folder) if known.name == "copilot" else _common(event, known, folder)


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Refuse a key that is given twice: the agent and whet might use different ones."""
    keys = dict(pairs)
    if len(keys) != len(pairs):
        raise ValueError("a key is given twice")
    return keys


def _known(name: str) -> HookedAgent:
    if name not in AGENTS:
        raise UsageError(f"no agent is called {name!r}", f"one of {', '.join(AGENTS)}")
    return AGENTS[name]


def _recognised(event: Mapping[str, Any]) -> HookedAgent:
    name = event.get("hook_event_name")
    if "toolName" in event and "hook_event_name" not in event:
        return AGENTS["copilot"]
    if name == "PreToolUse":
        return AGENTS["codex" if "turn_id" in event else "claude"]
    for agent in ("gemini", "cursor"):
        if name in AGENTS[agent].events:
            return AGENTS[agent]
    raise BadHookEvent(f"no agent has a hook event {ascii(name)[:60]} before a call of a tool", _REMEDY)


def _common(event: Mapping[str, Any], agent: HookedAgent, folder: str) -> Event:
    """Read the format of Claude Code, which Codex CLI and Gemini CLI use too."""
    name = event.get("hook_event_name")
    if name not in agent.events:
        raise BadHookEvent(f"{agent.title} has no hook event {ascii(name)[:60]} before a call of a tool", _REMEDY)
    call = ToolCall(tool=_tool(event.get("tool_name")), arguments=_arguments(event.get("tool_input")))
    # Codex reports an answer that asks as an error of the hook, and then makes the call.
    return _event(event, agent, call, folder, asks=agent.name != "codex")


def _copilot(event: Mapping[str, Any], agent: HookedAgent, folder: str) -> Event:
    call = ToolCall(tool=_tool(event.get("toolName")), arguments=_arguments(event.get("toolArgs")))
    return _event(event, agent, call, folder, asks=True)


def _cursor(event: Mapping[str, Any], agent: HookedAgent, folder: str) -> Event:
    """Read one of the four events of Cursor. Only those of a command and of an MCP tool can ask the user."""
    name = event.get("hook_event_name")
    asks = name in ("beforeShellExecution", "beforeMCPExecution")
    if name == "beforeShellExecution":
        call = ToolCall(tool="Shell", arguments={"command": event.get("command")})
    elif name == "beforeReadFile":
        call = ToolCall(tool="Read", arguments={"file_path": _text(event, "file_path")})
    elif name == "beforeMCPExecution":
        call = ToolCall(tool=_mcp(event.get("tool_name")), arguments=_arguments(event.get("tool_input")))
    elif name == "preToolUse":
        call = ToolCall(tool=_tool(event.get("tool_name")), arguments=_arguments(event.get("tool_input")))
    else:
        raise BadHookEvent(f"Cursor has no hook event {ascii(name)[:60]} before a call of a tool", _REMEDY)
    return _event(event, agent, call, folder, asks=asks)


def _event(event: Mapping[str, Any], agent: HookedAgent, call: ToolCall, folder: str, *, asks: bool) -> Event:
    roots = event.get("workspace_roots")
    places = [event.get("cwd"), *(roots if isinstance(roots, list) else ()), folder]
    named = next((place for place in places if isinstance(place, str) and place.startswith("/")), folder)
    return Event(
        agent=agent,
        name=str(event.get("hook_event_name", agent.events[0])),
        call=call,
        caller=_caller(event, agent),
        folder=named,
        asks=asks,
    )


def _caller(event: Mapping[str, Any], agent: HookedAgent) -> Caller:
    """Return the caller: the agent (with the type of its subagent), the model if the event names one, the provider."""
    kind, model = event.get("agent_type"), event.get("model")
    is_subagent = is_name(kind) and bool(event.get("agent_id"))
    return Caller(
        agent=f"{agent.name}.{kind}" if is_subagent else agent.name,
        team=agent.name,
        model=model if is_name(model) else None,
        provider=agent.provider,
    )


def _tool(name: object) -> str:
    if type(name) is not str or not name:
        raise BadHookEvent("the hook event does not name a tool", _REMEDY)
    return _mcp(name) if name.startswith("MCP:") else name


def _mcp(name: object) -> str:
    """Return the name of an MCP tool of Cursor in the form `mcp__server__tool`."""
    if type(name) is not str or not name:
        raise BadHookEvent("the hook event does not name a tool", _REMEDY)
    server, separator, tool = name.removeprefix("MCP:").rpartition(":")
    return name if name.startswith("mcp__") else f"mcp__{server.strip() if separator else 'cursor'}__{tool.strip()}"


def _text(event: Mapping[str, Any], key: str) -> str:
    value = event.get(key)
    if type(value) is not str:
        raise BadHookEvent(f"the hook event has no {key}", _REMEDY)
    return value


def _arguments(value: object) -> dict[str, Any]:
    """Return the arguments of a call, which some agents give as a text of JSON. Another text is a patch or a command."""
    if isinstance(value, str):
        try:
            inner = json.loads(value, object_pairs_hook=_unique)
        except (ValueError, RecursionError):
            return {"input": value}
        value = inner if isinstance(inner, dict) else {"input": value}
    if value is None:
        return {}
    if not isinstance(value, dict):
        raise BadHookEvent("the arguments of the tool are not a JSON object", _REMEDY)
    return value
