"""Refused and raised calls are logged, bounded and redacted; the policy of the repository decides."""

import json
import stat
import subprocess
from pathlib import Path

import pytest

from tests.guard.hook.conftest import Judge
from tests.support import WHET
from whet.app.agent_hook import refused_calls
from whet.app.agent_hook.refused_calls import FILE, entries


def test_only_calls_that_are_not_simply_allowed_are_logged(judge: Judge, repository: Path) -> None:
    judge("Bash", {"command": "ls"})
    judge("Bash", {"command": "git push --force"}, "codex")
    judge("Write", {"file_path": "pyproject.toml"})
    found = list(entries(str(repository / ".whet")))
    assert [(call["agent"], call["answer"], call["code"]) for call in found] == [
        ("codex", "refused", "command_git_history"),
        ("claude", "raised", "path_protected"),
    ]
    assert found[0]["arguments"] == {"command": "git push --force"}
    assert stat.S_IMODE((repository / ".whet" / FILE).stat().st_mode) == 0o600


def test_secrets_in_arguments_are_redacted_and_long_ones_cut(judge: Judge, repository: Path) -> None:
    token = "ghp_" + "a1B2" * 9
    judge("Write", {"file_path": "whet.toml", "content": f"{token}\n" + "x" * 5_000})
    text = (repository / ".whet" / FILE).read_text()
    assert token not in text
    assert "[redacted: " in text
    assert len(text) < 2_000


def test_arguments_whose_name_shows_a_secret_are_redacted(judge: Judge, repository: Path) -> None:
    judge("Write", {"file_path": "whet.toml", "content": "", "auth": {"password": "hunter2", "apiKey": "a1b2c3d4e5"}})
    judge("Bash", {"command": "mysql -phunter2 -e 'drop table users'; rm -rf /"})
    text = (repository / ".whet" / FILE).read_text()
    assert text.count("[redacted: password]") == 2
    assert [secret for secret in ("hunter2", "a1b2c3d4e5") if secret in text] == []


def test_the_log_keeps_its_newer_half_when_it_is_full(
    judge: Judge, repository: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(refused_calls, "MOST_BYTES", 2_000)
    for number in range(40):
        judge("Write", {"file_path": "whet.toml", "content": str(number)})
        assert (repository / ".whet" / FILE).stat().st_size < 3_000
    kept = [call["arguments"]["content"] for call in entries(str(repository / ".whet"))]
    assert kept[-1] == "39"
    assert "0" not in kept


def test_a_raised_call_that_cannot_be_logged_is_denied(judge: Judge, repository: Path) -> None:
    (repository / ".whet").chmod(0o755)
    answer = judge("Write", {"file_path": "pyproject.toml"})
    assert answer.word == "deny"
    assert "could not be logged" in answer.reason


def test_a_repository_without_a_policy_gets_the_defaults_and_no_state(
    judge: Judge, repository: Path, home: Path
) -> None:
    (repository / "whet.toml").unlink()
    assert judge("Write", {"file_path": "whet.toml"}).word == "deny"
    assert not (repository / ".whet" / FILE).exists()
    assert list(entries(str(home / ".local" / "state" / "whet" / "hook")))


def test_outside_of_repositories_commands_and_secrets_are_judged(judge: Judge, tmp_path: Path) -> None:
    cwd = str(tmp_path)
    assert judge("Bash", {"command": "rm -rf /"}, cwd=cwd).word == "deny"
    assert judge("Read", {"file_path": ".env"}, cwd=cwd).word == "deny"
    assert judge("Write", {"file_path": "pyproject.toml"}, cwd=cwd).word == "allow"


RULES = """
[guard]
protected = ["docs/**", "tests/golden/**"]
open = ["pyproject.toml"]
[[guard.tools]]
scope = "team:claude"
allow = ["Read", "Write", "Bash", "mcp__github__*"]
deny = ["mcp__github__delete_*"]
[[guard.tools]]
scope = "agent:claude.reviewer"
deny = ["Write"]
[[guard.tools]]
scope = "model:gpt-5"
allow = ["Bash"]
[[guard.shell_tools]]
tool = "mcp__github__run"
argument = "script"
"""


@pytest.mark.parametrize(
    ("agent", "tool", "arguments", "word"),
    [
        ("claude", "Read", {"file_path": "a.py"}, "allow"),
        ("claude", "WebFetch", {"url": "https://a.example"}, "deny"),
        ("claude", "mcp__github__list_issues", {}, "allow"),
        ("claude", "mcp__github__delete_repo", {}, "deny"),
        ("claude", "mcp__github__run", {"script": "ls"}, "allow"),
        ("claude", "mcp__github__run", {"script": "rm -rf /"}, "deny"),
        ("claude", "mcp__github__run", {}, "deny"),
        ("claude", "Write", {"file_path": "docs/a.md"}, "deny"),
        ("claude", "Write", {"file_path": "tests/golden/a.txt"}, "ask"),
        ("claude", "Write", {"file_path": "pyproject.toml"}, "allow"),
        ("codex", "Bash", {"command": "ls"}, "allow"),
        ("codex", "apply_patch", {"command": "*** Begin Patch\n*** Add File: a.py\n+x\n*** End Patch"}, "deny"),
        ("gemini", "read_file", {"path": "a.py"}, "deny"),
    ],
)
def test_rules_of_the_policy_hold_for_the_real_caller(
    judge: Judge, repository: Path, agent: str, tool: str, arguments: dict[str, str], word: str
) -> None:
    (repository / "whet.toml").write_text(RULES)
    assert judge(tool, arguments, agent).word == word


def test_a_subagent_has_a_scope_of_its_own(judge: Judge, repository: Path) -> None:
    (repository / "whet.toml").write_text(RULES)
    fields = {"agent_id": "1", "agent_type": "reviewer"}
    assert judge("Write", {"file_path": "a.py"}, **fields).word == "deny"
    assert judge("Read", {"file_path": "a.py"}, **fields).word == "allow"


def test_an_edited_policy_is_read_again(judge: Judge, repository: Path) -> None:
    (repository / "whet.toml").write_text(RULES)
    assert judge("Write", {"file_path": "docs/a.md"}).word == "deny"
    assert (repository / ".whet" / "call-policy.json").exists()
    assert judge("Write", {"file_path": "docs/a.md"}).word == "deny"
    (repository / "whet.toml").write_text("")
    assert judge("Write", {"file_path": "docs/a.md"}).word == "allow"


def test_a_damaged_memory_of_the_policy_is_not_used(judge: Judge, repository: Path) -> None:
    (repository / "whet.toml").write_text(RULES)
    judge("Read", {"file_path": "a.py"})
    for damage in ("", "[]", '{"source": 1}', "{"):
        (repository / ".whet" / "call-policy.json").write_text(damage)
        assert judge("Write", {"file_path": "docs/a.md"}).word == "deny"


def log(repository: Path, *options: str) -> str:
    command = [*WHET, "guard", "log", *options]
    return subprocess.run(command, cwd=repository, capture_output=True, text=True, check=True).stdout


def test_guard_log_shows_them(judge: Judge, repository: Path) -> None:
    assert log(repository) == "no call was refused or raised here\n"
    judge("Bash", {"command": "git push --force"})
    judge("Write", {"file_path": "whet.toml"})
    shown = log(repository).splitlines()
    assert shown[0].endswith("refused  claude  Bash: the command overwrites the history of a remote repository")
    assert len(shown) == 2
    [newest] = json.loads(log(repository, "--json", "--last", "1"))
    assert newest["tool"] == "Write"
