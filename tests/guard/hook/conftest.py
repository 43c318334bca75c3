"""A repository with a policy and a state folder, and hook events of every agent for it."""

import json
import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from whet import state_folder
from whet.app.agent_hook.hook import answer_event
from whet.app.agent_hook.reply import HookReply


@dataclass(frozen=True)
class Verdict:
    """A reply, reduced to allow, ask or deny."""

    word: str
    reason: str
    reply: HookReply


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Give the test a home folder of its own."""
    folder = tmp_path / "home"
    folder.mkdir()
    monkeypatch.setenv("HOME", str(folder))
    for name in ("XDG_STATE_HOME", "CLAUDE_CONFIG_DIR", "CODEX_HOME", "COPILOT_HOME"):
        monkeypatch.delenv(name, raising=False)
    return folder


@pytest.fixture
def repository(home: Path, tmp_path: Path) -> Path:
    """Make a repository that uses whet, with links and other names that lead to its protected files."""
    root = tmp_path / "repository"
    subprocess.run(["git", "init", "-q", root], check=True)
    (root / "whet.toml").write_text("")
    (root / "whet.signers").write_text("")
    (root / "src").mkdir()
    (root / "src" / "app.py").write_text("")
    (root / ".claude").mkdir()
    (root / ".claude" / "settings.json").write_text("{}")
    state_folder.make_folder(root / ".whet")
    state_folder.replace(root / ".whet", "ledger.db", b"")
    (root / "notes.md").symlink_to("whet.toml")
    (root / "data").symlink_to(".whet")
    (root / "copy.toml").hardlink_to(root / "whet.signers")
    return root


Judge = Callable[..., Verdict]


@pytest.fixture
def judge(repository: Path) -> Judge:
    """Return a function that gives a call to the hook, in the format of an agent."""

    def call(tool: str, arguments: Any, agent: str = "claude", **fields: Any) -> Verdict:
        event = event_of(agent, tool, arguments, fields.pop("cwd", str(repository)), **fields)
        return verdict(answer_event(json.dumps(event).encode(), agent))

    return call


def event_of(agent: str, tool: str, arguments: Any, cwd: str, **fields: Any) -> dict[str, Any]:
    """Return a hook event as the agent sends it."""
    if agent == "copilot":
        return {"sessionId": "s", "timestamp": 1, "cwd": cwd, "toolName": tool, "toolArgs": arguments, **fields}
    name = {"gemini": "BeforeTool", "cursor": "preToolUse"}.get(agent, "PreToolUse")
    common = {"hook_event_name": name, "cwd": cwd, "tool_name": tool, "tool_input": arguments, "session_id": "s"}
    extra: dict[str, dict[str, Any]] = {
        "codex": {"turn_id": "1", "model": "gpt-5"},
        "cursor": {"workspace_roots": [cwd], "cursor_version": "2"},
    }
    return {**common, **extra.get(agent, {}), **fields}


def verdict(reply: HookReply) -> Verdict:
    """Read a reply as the agent would."""
    if not reply.output or reply.output == "{}":
        assert reply.exit_code == 0
        return Verdict("allow", "", reply)
    answer = json.loads(reply.output)
    answer = answer.get("hookSpecificOutput", answer)
    word = answer.get("permissionDecision") or answer.get("decision") or answer.get("permission")
    reason = answer.get("permissionDecisionReason") or answer.get("reason") or answer.get("agent_message")
    assert (word == "deny") == bool(reply.error)
    return Verdict(word, reason, reply)
