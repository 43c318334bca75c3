"""Answer an agent in its own format."""

import json
from dataclasses import dataclass

from whet.app.agent_hook.event import Event
from whet.guard.answer import Allow, GuardAnswer, Raise

BLOCK = 2
_LONGEST_REASON = 1_000


@dataclass(frozen=True)
class HookReply:
    """The output and the exit code of the hook."""

    output: str
    error: str
    exit_code: int


def reply(event: Event, answer: GuardAnswer) -> HookReply:
    """Return the reply: silence for Allow, a question for Raise where the agent can ask, else a refusal."""
    if isinstance(answer, Allow):
        return HookReply(event.agent.silence, "", 0)
    reason = shown(answer.reason)
    if isinstance(answer, Raise) and _is_asked_later(event):
        return HookReply(event.agent.silence, "", 0)
    if isinstance(answer, Raise) and event.asks:
        return HookReply(_decision(event, "ask", f"whet asks you to decide: {reason}"), "", 0)
    if isinstance(answer, Raise):
        reason = f"{reason}; a person must do this, because {event.agent.title} cannot ask here"
    return HookReply(_decision(event, "deny", f"whet: {reason}"), f"whet: {reason}\n", event.agent.deny_code)


def shown(text: str) -> str:
    """Return a text that shows no secret and does not control a terminal."""
    from whet.domain.redact import redact
    from whet.domain.sanitize import sanitize

    return sanitize(redact(text))[:_LONGEST_REASON]


def _is_asked_later(event: Event) -> bool:
    """True for Cursor's general event of a command or an MCP tool: it cannot ask, and the special event follows."""
    is_special = event.call.tool == "Shell" or event.call.tool.startswith("mcp__")
    return event.agent.name == "cursor" and event.name == "preToolUse" and is_special


def _decision(event: Event, decision: str, reason: str) -> str:
    name = event.agent.name
    if name == "gemini":
        return json.dumps({"decision": decision, "reason": reason, "systemMessage": reason})
    if name == "cursor":
        return json.dumps({"permission": decision, "user_message": reason, "agent_message": reason})
    answer = {"permissionDecision": decision, "permissionDecisionReason": reason}
    if name == "copilot":
        return json.dumps(answer)
    return json.dumps({"hookSpecificOutput": {"hookEventName": event.name, **answer}})
