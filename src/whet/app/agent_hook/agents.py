"""The coding agents whose hooks whet knows: how they call a hook, and where their settings are.

The formats are documented at https://code.claude.com/docs/en/hooks (Claude Code),
https://developers.openai.com/codex/hooks (Codex CLI), https://geminicli.com/docs/hooks/reference (Gemini CLI),
https://cursor.com/docs/agent/hooks (Cursor) and https://docs.github.com/en/copilot/reference/hooks-reference
(GitHub Copilot CLI). All of them block a call if the hook exits with code 2 and writes a reason to standard error.
"""

from dataclasses import dataclass, field

TIMEOUT_SECONDS = 30  # in the agents' settings; the hook itself refuses a call after `hook.DEADLINE_SECONDS`


@dataclass(frozen=True, kw_only=True)
class HookedAgent:
    """A coding agent. `home` names the variable that moves its settings out of the user's home folder."""

    name: str
    title: str
    provider: str | None
    events: tuple[str, ...]
    project_file: str
    user_file: str
    home: str = ""
    note: str = ""
    silence: str = ""  # standard output that leaves the decision to the agent
    deny_code: int = 2
    extra: dict[str, object] = field(default_factory=dict)  # further keys of a new settings file


AGENTS = {
    agent.name: agent
    for agent in (
        HookedAgent(
            name="claude",
            title="Claude Code",
            provider="anthropic",
            events=("PreToolUse",),
            project_file=".claude/settings.json",
            user_file=".claude/settings.json",
            home="CLAUDE_CONFIG_DIR",
        ),
        HookedAgent(
            name="codex",
            title="Codex CLI",
            provider="openai",
            events=("PreToolUse",),
            project_file=".codex/hooks.json",
            user_file=".codex/hooks.json",
            home="CODEX_HOME",
            note="Codex runs it only in a project that you trust, and after you reviewed it: start codex and enter /hooks",
        ),
        HookedAgent(
            name="gemini",
            title="Gemini CLI",
            provider="google",
            events=("BeforeTool",),
            project_file=".gemini/settings.json",
            user_file=".gemini/settings.json",
            silence="{}",
            deny_code=0,  # with another code Gemini CLI blocks too, and reports a failed hook
            note="Gemini CLI runs the hooks of a project only in a folder that you trust",
        ),
        HookedAgent(
            name="cursor",
            title="Cursor",
            provider=None,
            events=("preToolUse", "beforeShellExecution", "beforeMCPExecution", "beforeReadFile"),
            project_file=".cursor/hooks.json",
            user_file=".cursor/hooks.json",
            silence="{}",
            deny_code=0,  # with another code Cursor blocks too, but does not show the reason to the model
            extra={"version": 1},
        ),
        HookedAgent(
            name="copilot",
            title="GitHub Copilot CLI",
            provider="github",
            events=("preToolUse",),
            project_file=".github/hooks/whet.json",
            user_file=".copilot/hooks/whet.json",
            home="COPILOT_HOME",
            silence="{}",
            deny_code=0,
            extra={"version": 1},
        ),
    )
}
