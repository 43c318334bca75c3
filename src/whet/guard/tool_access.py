"""Which tool a model or an agent may call: asked before every call runs.

The narrowest scope that has anything to say about the tool decides: agent, team, model, provider. Within a scope deny
wins. Where no rule speaks the call is refused, and so is every call under a policy with a rule that cannot be read: it
might have been a deny.
"""

from collections.abc import Callable, Sequence

from whet.config import GuardPolicy, ToolRule
from whet.domain.tool import SCOPES, Caller, ToolCall, catches, is_glob, is_scope
from whet.domain.tool_name import is_name
from whet.guard.answer import Allow, Answer, Refuse

JudgeCommand = Callable[[str], Answer]


def check_call(
    call: ToolCall, caller: Caller, policy: GuardPolicy, judge_command: JudgeCommand | None = None
) -> Allow | Refuse:
    """Allow or Refuse, naming the rule that decided. The scope is the caller's own; nothing in the call adds to it.
    A shell tool's command must pass the shell guard besides; what that would show to a person does not run here."""
    if problem := _malformed(call, caller, policy):
        return problem
    decided = _by_scope(call.tool, caller, policy.tools)
    if isinstance(decided, Refuse):
        return decided
    arguments = [shell.argument for shell in policy.shell_tools if catches(shell.tool, call.tool)]
    for argument in dict.fromkeys(arguments):
        judged = _command(call, argument, judge_command)
        if isinstance(judged, Refuse):
            return judged
    return decided


def _malformed(call: ToolCall, caller: Caller, policy: GuardPolicy) -> Refuse | None:
    for kind in SCOPES:
        name = getattr(caller, kind)
        if name is not None and not is_name(name):
            return Refuse(f"the caller's {kind} {_shown(name)} is no name", "caller_malformed")
    if not is_name(call.tool):
        return Refuse(f"{_shown(call.tool)} is no name of a tool", "tool_malformed")
    for rule in policy.tools:
        if not is_scope(rule.scope):
            return Refuse(f"guard.tools: {_shown(rule.scope)} is no scope", "rules_malformed")
        for glob in (*rule.allow, *rule.deny):
            if not is_glob(glob):
                return Refuse(f"guard.tools: {_shown(glob)} is no glob", "rules_malformed")
    for shell in policy.shell_tools:
        if not is_glob(shell.tool) or not shell.argument:
            return Refuse(f"guard.shell_tools: {_shown(shell.tool)} is no glob with an argument", "rules_malformed")
    return None


def _by_scope(tool: str, caller: Caller, rules: Sequence[ToolRule]) -> Allow | Refuse:
    for kind in SCOPES:
        name = getattr(caller, kind)
        mine = [rule for rule in rules if name is not None and rule.scope == f"{kind}:{name}"]
        for glob in (glob for rule in mine for glob in rule.deny if catches(glob, tool)):
            return Refuse(f"{tool} is denied to {kind}:{name} by {glob!r}", "tool_denied")
        for glob in (glob for rule in mine for glob in rule.allow if catches(glob, tool)):
            return Allow(f"{tool} is allowed to {kind}:{name} by {glob!r}")
    return Refuse(f"no rule in guard.tools allows {tool} to this caller", "tool_not_allowed")


def _command(call: ToolCall, argument: str, judge_command: JudgeCommand | None) -> Allow | Refuse:
    command = call.arguments.get(argument)
    if type(command) is not str:
        return Refuse(f"{call.tool} is a shell tool, and its {argument!r} is no command", "command_missing")
    judged = (judge_command or _shell_guard())(command)
    if isinstance(judged, Allow):
        return judged
    return Refuse(f"the command of {call.tool}: {judged.reason}", judged.code)


def _shell_guard() -> JudgeCommand:
    from whet.guard.shell import judge_command  # the grammar takes a while to load

    return judge_command


def _shown(value: object) -> str:
    """As ASCII, so that a look-alike is seen for what it is."""
    return ascii(value)[:80]
