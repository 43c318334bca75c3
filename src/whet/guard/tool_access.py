"""Access to tools: whether a model or an agent may call a tool. Checked before every call.

Scopes are searched from the narrowest to the widest: agent, team, model, provider. The first scope with a matching
rule decides; within a scope deny wins over allow. A call that no rule matches is refused. If any rule of the policy is
malformed, every call is refused, because that rule might have been a deny.
"""

from collections.abc import Sequence

from whet.domain.call_policy import AccessRule, CallPolicy
from whet.domain.tool import SCOPES, Caller, ToolCall, catches, is_glob, is_scope
from whet.domain.tool_name import is_name
from whet.guard.answer import Allow, Refuse


def check_access(call: ToolCall, caller: Caller, policy: CallPolicy) -> Allow | Refuse:
    """Return whether `caller` may make `call`, naming the rule that decided.

    Only `caller` says which scopes apply, never the call.
    """
    return check_names(call, caller, policy) or _by_scope(call.tool, caller, policy.rules)


def check_names(call: ToolCall, caller: Caller, policy: CallPolicy) -> Refuse | None:
    """Refuse a malformed name of the tool or its caller, and every call if a rule of the policy is malformed."""
    for kind in SCOPES:
        name = getattr(caller, kind)
        if name is not None and not is_name(name):
            return Refuse(f"the caller's {kind} {_shown(name)} is not a valid name", "caller_malformed")
    if not is_name(call.tool):
        return Refuse(f"{_shown(call.tool)} is not a valid name of a tool", "tool_malformed")
    for rule in policy.rules:
        if not is_scope(rule.scope):
            return Refuse(f"guard.tools: {_shown(rule.scope)} is not a valid scope", "rules_malformed")
        for glob in (*rule.allow, *rule.deny):
            if not is_glob(glob):
                return Refuse(f"guard.tools: {_shown(glob)} is not a valid glob", "rules_malformed")
    for shell in policy.shell_tools:
        if not is_glob(shell.tool) or not shell.argument:
            reason = f"guard.shell_tools: {_shown(shell.tool)} is not a valid glob with an argument"
            return Refuse(reason, "rules_malformed")
    return None


def _by_scope(tool: str, caller: Caller, rules: Sequence[AccessRule]) -> Allow | Refuse:
    for kind in SCOPES:
        name = getattr(caller, kind)
        in_scope = [rule for rule in rules if name is not None and rule.scope == f"{kind}:{name}"]
        for glob in (glob for rule in in_scope for glob in rule.deny if catches(glob, tool)):
            return Refuse(f"{tool} is denied to {kind}:{name} by {glob!r}", "tool_denied")
        for glob in (glob for rule in in_scope for glob in rule.allow if catches(glob, tool)):
            return Allow(f"{tool} is allowed to {kind}:{name} by {glob!r}")
    return Refuse(f"no rule in guard.tools allows {tool} to this caller", "tool_not_allowed")


def _shown(value: object) -> str:
    """Return a value as ASCII, so that lookalike letters are visible."""
    return ascii(value)[:80]
