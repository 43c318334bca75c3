"""`whet guard hook`: judge one call of a tool for a coding agent. Every failure blocks the call."""

import os

from whet.app.agent_hook.event import Event, read_event
from whet.app.agent_hook.places import resolver, user_record
from whet.app.agent_hook.policy import policy_at
from whet.app.agent_hook.reply import HookReply, reply
from whet.errors import StateUnusable
from whet.guard.answer import Allow, Raise, Refuse
from whet.guard.calls import judge_call

DEADLINE_SECONDS = 20
# Arguments in which agents name the folder that a command starts in.
_FOLDER_ARGUMENTS = ("cwd", "workdir", "dir_path", "directory", "working_directory", "workingDirectory")


def answer_event(raw: bytes, agent: str | None) -> HookReply:
    """Return the reply to an event, and log a call that is not simply allowed. Raise WhetError for a bad event."""
    event = read_event(raw, agent, os.getcwd())
    policy, checkout = policy_at(event.folder)
    answer = judge_call(
        event.call,
        event.caller,
        policy,
        resolver(_folders(event), (user_record(),)),
        free_without_rules=True,
    )
    if isinstance(answer, Allow):
        return reply(event, answer)
    return reply(event, _logged(event, answer, checkout))


def _logged(event: Event, answer: Raise | Refuse, checkout: str | None) -> Raise | Refuse:
    """Log a call that is refused or raised. A call that would be raised is refused if it cannot be logged."""
    from whet.app.agent_hook.refused_calls import folder_for, log_call

    try:
        log_call(folder_for(checkout), event, answer)
    except (OSError, StateUnusable) as problem:
        return Refuse(f"{answer.reason} (and the call could not be logged: {problem})", answer.code)
    return answer


def _folders(event: Event) -> tuple[str, ...]:
    """Return the folders that a relative path in the call may begin at."""
    named = [event.call.arguments.get(name) for name in _FOLDER_ARGUMENTS]
    inner = [os.path.join(event.folder, os.path.expanduser(name)) for name in named if isinstance(name, str)]
    return (event.folder, *inner)
