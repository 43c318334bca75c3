"""The commands that start the known coding agents, and the files of their own that they leave in the tree."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from whet.config import AgentPolicy

_PLACEHOLDER = re.compile(r"\{\{|\}\}|\{(\w+)\}")
NO_KEY = "whet-adds-the-key"  # most agents refuse to start without a key; the proxy drops what they send


@dataclass(frozen=True)
class Preset:
    """The command of an agent. Placeholders: {task}, {model}, {base_url} (with /v1), {address} (without), and {files}, which
    is replaced by one argument for each suspicious file."""

    argv: tuple[str, ...]
    env: Mapping[str, str] = field(default_factory=dict)
    leftovers: tuple[str, ...] = ()
    """Prefixes of paths that the agent writes for itself."""
    home: Mapping[str, str] = field(default_factory=dict)
    """Files of the agent's home folder, by path."""


_OPENAI = {"OPENAI_BASE_URL": "{base_url}", "OPENAI_API_BASE": "{base_url}", "OPENAI_API_KEY": NO_KEY}
_ANTHROPIC = {"ANTHROPIC_BASE_URL": "{address}", "ANTHROPIC_API_KEY": NO_KEY}
_GOOGLE = {"GOOGLE_GEMINI_BASE_URL": "{address}", "GEMINI_API_KEY": NO_KEY}
_BY_PROVIDER = {"openai": _OPENAI, "anthropic": _ANTHROPIC, "google": _GOOGLE}
_QUIET = {"CI": "1", "NO_COLOR": "1", "TERM": "dumb", "DO_NOT_TRACK": "1"}

PRESETS = {
    "codex": Preset(
        (
            *("codex", "exec", "--skip-git-repo-check", "--sandbox", "danger-full-access", "--model", "{model}"),
            *("-c", 'model_provider="whet"'),
            *("-c", 'model_providers.whet={{name="whet",base_url="{base_url}",wire_api="responses",env_key="OPENAI_API_KEY"}}'),
            "{task}",
        )
    ),
    "claude": Preset(
        ("claude", "--print", "--model", "{model}", "--dangerously-skip-permissions", "{task}"),
        {
            "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
            "DISABLE_AUTOUPDATER": "1",
            "ANTHROPIC_SMALL_FAST_MODEL": "{model}",
            "IS_SANDBOX": "1",
        },
    ),
    "aider": Preset(
        (
            *("aider", "--model", "openai/{model}", "--edit-format", "diff", "--yes-always", "--no-auto-commits"),
            *("--no-dirty-commits", "--no-gitignore", "--no-check-update", "--no-show-model-warnings", "--no-stream"),
            *("--no-pretty", "--no-detect-urls", "--no-suggest-shell-commands", "--analytics-disable"),
            *("--message", "{task}", "{files}"),
        ),
        leftovers=(".aider",),
    ),
    "mini-swe-agent": Preset(
        ("mini", "--yolo", "--exit-immediately", "--model", "openai/{model}", "--task", "{task}"),
        {"MSWEA_CONFIGURED": "true", "MSWEA_COST_TRACKING": "ignore_errors", "MSWEA_SILENT_STARTUP": "1"},
    ),
    "gemini": Preset(("gemini", "--yolo", "--model", "{model}", "--prompt", "{task}"), {"GEMINI_CLI_TRUST_WORKSPACE": "true"}, home={".gemini/settings.json": '{"security": {"auth": {"selectedType": "gemini-api-key"}}}'}),
    "opencode": Preset(
        ("opencode", "run", "--model", "whet/{model}", "{task}"),
        {
            "OPENCODE_CONFIG_CONTENT": '{{"provider":{{"whet":{{"npm":"@ai-sdk/openai-compatible","options":'
            '{{"baseURL":"{base_url}","apiKey":"' + NO_KEY + '"}},"models":{{"{model}":{{}}}}}}}},"permission":"allow"}}',
            "OPENCODE_DISABLE_AUTOUPDATE": "1",
            "OPENCODE_DISABLE_MODELS_FETCH": "1",
        },
    ),
}  # fmt: skip


def preset_of(policy: AgentPolicy) -> Preset:
    """Return the preset that the policy names, or the policy's own command as one."""
    known = PRESETS.get(policy.preset) or Preset(policy.command)
    return Preset(known.argv, {**_QUIET, **_BY_PROVIDER[policy.wire], **known.env}, known.leftovers, known.home)


def filled(text: str, values: Mapping[str, str]) -> str:
    """Return a template with its placeholders replaced, in one pass, so that values are not templates; `{{` and `}}` are
    braces."""

    def value(match: re.Match[str]) -> str:
        return match[0][0] if match[1] is None else values.get(match[1], match[0])

    return _PLACEHOLDER.sub(value, text)
