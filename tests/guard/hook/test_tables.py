"""Calls of every kind of tool: allowed, raised to the person beside the agent, refused."""

from typing import Any

import pytest

from tests.guard.hook.conftest import Judge

PATCH = "*** Begin Patch\n*** Update File: {}\n@@\n-a\n+b\n*** End Patch\n"

ALLOWED: list[tuple[str, str, Any]] = [
    ("claude", "Bash", {"command": "pytest -q", "description": "run the tests"}),
    ("claude", "Bash", {"command": "git status && git diff HEAD~1 -- src"}),
    ("claude", "Bash", {"command": "cat whet.toml"}),
    ("claude", "Bash", {"command": "git diff whet.toml && git add whet.toml"}),
    ("claude", "Bash", {"command": "rsync -a --exclude .whet ./ /tmp/copy/ && ls -la .whet"}),
    ("claude", "Bash", {"command": "echo .whet >> .gitignore"}),
    ("claude", "Bash", {"command": "zip -r a.zip . -x '.git/*' -x '.whet/*'"}),
    ("claude", "Bash", {"command": "find . -path ./.whet -prune -o -name '*.py' -print"}),
    ("claude", "Bash", {"command": "cd src && python app.py > out.txt"}),
    ("claude", "Bash", {"command": "ls -la .claude && cat .claude/settings.json"}),
    ("claude", "Bash", {"command": "whet list && whet show p-3f"}),
    ("claude", "Bash", {"command": "whet guard log"}),
    ("claude", "Bash", {"command": "pip install -r requirements.txt"}),
    ("claude", "Bash", {"command": "cp .env.example .env"}),
    ("claude", "Bash", {"command": "ssh -i ~/.ssh/id_ed25519 host uptime"}),
    ("claude", "Bash", {"command": "find . -name '*.py' | sed 's/.*/&/'"}),
    ("claude", "Bash", {"command": "tar --exclude=.git --exclude=.venv -czf /tmp/a.tgz src"}),
    ("claude", "Write", {"file_path": ".gitignore", "content": "x"}),
    ("claude", "Write", {"file_path": ".env.example", "content": "x"}),
    ("claude", "Bash", {"command": "echo done > out.txt 2>/dev/null"}),
    ("claude", "Write", {"file_path": "src/new.py", "content": "cat .whet/ledger.db"}),
    ("claude", "Edit", {"file_path": "tests/test_app.py", "old_string": "a", "new_string": "b"}),
    ("claude", "MultiEdit", {"file_path": "src/app.py", "edits": [{"old_string": "whet.toml", "new_string": "b"}]}),
    ("claude", "NotebookEdit", {"notebook_path": "src/a.ipynb", "new_source": "x"}),
    ("claude", "Read", {"file_path": "whet.toml"}),
    ("claude", "Read", {"file_path": ".env.example"}),
    ("claude", "Read", {"file_path": "pyproject.toml"}),
    ("claude", "Grep", {"pattern": r"\.whet/", "path": "src"}),
    ("claude", "Glob", {"pattern": "**/*.py"}),
    ("claude", "WebFetch", {"url": "https://docs.python.org/.whet/x", "prompt": "read"}),
    ("claude", "Task", {"prompt": "look at .whet/ and\nsay what it is", "subagent_type": "Explore"}),
    ("claude", "TodoWrite", {"todos": [{"content": "read whet.toml", "status": "pending"}]}),
    ("claude", "mcp__github__create_issue", {"title": "whet.toml is hard to read", "body": "x"}),
    ("claude", "mcp__fs__read_file", {"path": "src/app.py"}),
    ("claude", "mcp__fs__write_file", {"path": "src/app.py", "content": "x"}),
    ("claude", "mcp__mail__send", {"to": "a: b <c@d.org>"}),
    ("codex", "Bash", {"command": "rg foo src"}),
    ("codex", "apply_patch", {"command": PATCH.format("src/app.py")}),
    ("codex", "apply_patch", PATCH.format("src/app.py")),
    ("gemini", "run_shell_command", {"command": "ls", "dir_path": "src"}),
    ("gemini", "write_file", {"file_path": "src/app.py", "content": "x"}),
    ("gemini", "replace", {"file_path": "src/app.py", "old_string": "a", "new_string": "b"}),
    ("gemini", "read_many_files", {"include": ["src/**"]}),
    ("cursor", "Shell", {"command": "ls"}),
    ("cursor", "Write", {"path": "src/app.py", "contents": "x"}),
    ("cursor", "MCP:github:create_issue", {"title": "x"}),
    ("copilot", "bash", {"command": "ls"}),
    ("copilot", "view", {"path": "src/app.py"}),
    ("copilot", "create", '{"path": "src/new.py", "file_text": "x"}'),
]
RAISED: list[tuple[str, str, Any]] = [
    ("claude", "Bash", {"command": "sudo make install"}),
    ("claude", "Bash", {"command": "echo x > .github/workflows/ci.yml"}),
    ("claude", "Write", {"file_path": "pyproject.toml", "content": "x"}),
    ("claude", "Edit", {"file_path": ".github/workflows/ci.yml", "old_string": "a", "new_string": "b"}),
    ("claude", "Write", {"file_path": "CLAUDE.md", "content": "x"}),
    ("claude", "Write", {"file_path": ".env", "content": "x"}),
    ("claude", "Bash", {"command": "grep DATABASE .env"}),
    ("claude", "Edit", {"file_path": "src/auth/permissions.py", "old_string": "a", "new_string": "b"}),
    ("claude", "Edit", {"file_path": "src/payments/pay.py", "old_string": "a", "new_string": "b"}),
    ("claude", "mcp__fs__write_file", {"path": "setup.py", "content": "x"}),
    ("gemini", "write_file", {"file_path": "Makefile", "content": "x"}),
    ("copilot", "edit", {"path": "pyproject.toml"}),
]
REFUSED: list[tuple[str, str, Any]] = [
    ("claude", "Bash", {"command": "git push --force"}),
    ("claude", "Bash", {"command": "rm -rf /"}),
    ("claude", "Bash", {"command": "cat .env"}),
    ("claude", "Bash", {"command": "wc -l < .env"}),
    ("claude", "Write", {"file_path": "~/.ssh/authorized_keys", "content": "x"}),
    ("claude", "Bash", {}),
    ("claude", "Bash", {"command": None}),
    ("claude", "Write", {"content": "x"}),
    ("claude", "Write", {"file_path": "whet.toml", "content": "x"}),
    ("claude", "Read", {"file_path": ".env"}),
    ("claude", "Read", {"file_path": "~/.ssh/id_ed25519"}),
    ("claude", "Read", {"file_path": ".whet/ledger.db"}),
    ("claude", "Not a tool", {}),
    ("codex", "Bash", {"command": "sudo make install"}),  # Codex cannot ask
    ("codex", "apply_patch", {"command": PATCH.format("whet.signers")}),
    ("codex", "apply_patch", {"command": "nothing"}),
    ("codex", "exec_command", {"cmd": "git push --force"}),
    ("codex", "shell", {"command": ["git", "push", "--force"]}),
    ("codex", "write_stdin", {"session_id": 1, "chars": "git push --force\n"}),
    ("gemini", "run_shell_command", {"command": "whet approve p-3f"}),
    ("gemini", "replace", {"file_path": ".gemini/settings.json", "old_string": "a", "new_string": "b"}),
    ("gemini", "read_file", {"absolute_path": ".env"}),
    ("cursor", "Shell", {"command": "git push --force"}),
    ("cursor", "Write", {"path": "pyproject.toml"}),  # this event of Cursor cannot ask
    ("cursor", "Delete", {"path": ".cursor/hooks.json"}),
    ("cursor", "MCP:shell:run", {"command": "git push --force"}),
    ("copilot", "bash", {"command": "git push --force"}),
    ("copilot", "str_replace_editor", {"command": "create", "path": "whet.toml"}),
    ("copilot", "edit", '{"path": ".github/hooks/whet.json"}'),
]


@pytest.mark.parametrize(("agent", "tool", "arguments"), ALLOWED)
def test_ordinary_calls_are_left_to_the_agent(judge: Judge, agent: str, tool: str, arguments: Any) -> None:
    answer = judge(tool, arguments, agent)
    assert answer.word == "allow", answer.reason


@pytest.mark.parametrize(("agent", "tool", "arguments"), RAISED)
def test_calls_that_need_a_person_are_asked(judge: Judge, agent: str, tool: str, arguments: Any) -> None:
    answer = judge(tool, arguments, agent)
    assert answer.word == "ask", answer
    assert answer.reply.exit_code == 0


@pytest.mark.parametrize(("agent", "tool", "arguments"), REFUSED)
def test_dangerous_calls_are_denied(judge: Judge, agent: str, tool: str, arguments: Any) -> None:
    assert judge(tool, arguments, agent).word == "deny"


def test_cursor_asks_at_the_event_of_a_command(judge: Judge) -> None:
    command = {"hook_event_name": "beforeShellExecution", "command": "sudo make install"}
    assert judge("", None, "cursor", **command).word == "ask"
    assert judge("Shell", {"command": "sudo make install"}, "cursor").word == "allow"


def test_cursor_denies_a_file_that_is_read(judge: Judge, repository: Any) -> None:
    event = {"hook_event_name": "beforeReadFile", "file_path": str(repository / ".env"), "content": "x"}
    assert judge("", None, "cursor", **event).word == "deny"
