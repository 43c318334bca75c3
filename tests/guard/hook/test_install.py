"""Installing keeps the settings that are there, can be repeated, and is undone exactly."""

import json
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from tests.guard.hook.conftest import event_of
from tests.support import WHET
from whet.app.agent_hook.agents import AGENTS
from whet.app.agent_hook.install import SettingsScope, apply, install_edit, installed, uninstall_edit
from whet.app.agent_hook.settings import hook_command
from whet.cli.main import app
from whet.errors import Refused, UsageError

OTHER: dict[str, Any] = {
    "claude": {
        "model": "x",
        "hooks": {"PreToolUse": [{"matcher": "Bash", "hooks": [{"type": "command", "command": "a"}]}]},
    },
    "codex": {"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "a"}]}]}},
    "gemini": {"ui": {"theme": "b"}, "hooks": {"BeforeTool": [{"hooks": [{"type": "command", "command": "é"}]}]}},
    "cursor": {"version": 1, "hooks": {"preToolUse": [{"command": "a"}], "stop": [{"command": "b"}]}},
    "copilot": {"version": 1, "hooks": {"preToolUse": [{"type": "command", "bash": "a"}]}},
}
AGENT_AND_SCOPE = [(name, scope) for name in AGENTS for scope in SettingsScope]


@pytest.fixture(autouse=True)
def _whet_on_path(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", f"{Path(WHET[0]).parent}:{os.environ['PATH']}")
    monkeypatch.setattr("sys.argv", [WHET[0]])


@pytest.mark.parametrize(("name", "scope"), AGENT_AND_SCOPE)
def test_install_and_uninstall_leave_other_settings_as_they_were(
    repository: Path, name: str, scope: SettingsScope
) -> None:
    agent = AGENTS[name]
    before = json.dumps(OTHER[name], indent=4, ensure_ascii=False) + "\n"
    path = install_edit(agent, scope, repository).path
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(before)
    path.chmod(0o640)
    apply(install_edit(agent, scope, repository))
    after = json.loads(path.read_text())
    for event in OTHER[name]["hooks"]:
        assert after["hooks"][event][: len(OTHER[name]["hooks"][event])] == OTHER[name]["hooks"][event]
    assert (agent, scope) in installed(repository)
    assert install_edit(agent, scope, repository).diff == ""
    assert path.stat().st_mode & 0o777 == 0o640
    apply(uninstall_edit(agent, scope, repository))
    assert path.read_text() == before
    assert uninstall_edit(agent, scope, repository).diff == ""


@pytest.mark.parametrize(("name", "scope"), AGENT_AND_SCOPE)
def test_a_file_that_install_made_is_removed_again(repository: Path, name: str, scope: SettingsScope) -> None:
    (repository / ".claude" / "settings.json").unlink()
    edit = install_edit(AGENTS[name], scope, repository)
    assert edit.before is None
    apply(edit)
    assert edit.path.exists()
    apply(uninstall_edit(AGENTS[name], scope, repository))
    assert not edit.path.exists()


def test_a_newer_install_replaces_the_older_entry(repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    apply(install_edit(AGENTS["claude"], SettingsScope.USER, repository))
    monkeypatch.setattr("sys.argv", ["/opt/whet/bin/whet"])
    edit = install_edit(AGENTS["claude"], SettingsScope.USER, repository)
    apply(edit)
    assert edit.path.read_text().count("guard hook --agent") == 1
    assert "/opt/whet/bin/whet" in edit.path.read_text()


@pytest.mark.parametrize("link", [".claude", ".claude/settings.json"])
def test_a_symbolic_link_is_not_written_through(repository: Path, tmp_path: Path, link: str) -> None:
    (repository / ".claude" / "settings.json").unlink()
    target = tmp_path / "elsewhere"
    if link == ".claude":
        (repository / ".claude").rmdir()
        target.mkdir()
    (repository / link).symlink_to(target)
    with pytest.raises(Refused, match="symbolic link"):
        install_edit(AGENTS["claude"], SettingsScope.PROJECT, repository)


@pytest.mark.parametrize("text", ["{ // a comment\n}", "[]", '{"hooks": []}', '{"hooks": {"PreToolUse": {}}}', "{"])
def test_settings_that_cannot_be_kept_are_not_touched(repository: Path, text: str) -> None:
    (repository / ".claude" / "settings.json").write_text(text)
    with pytest.raises(UsageError):
        install_edit(AGENTS["claude"], SettingsScope.PROJECT, repository)
    assert (AGENTS["claude"], SettingsScope.PROJECT) not in installed(repository)


def test_a_file_that_changed_after_the_question_is_not_overwritten(repository: Path) -> None:
    edit = install_edit(AGENTS["claude"], SettingsScope.PROJECT, repository)
    edit.path.write_text('{"model": "y"}')
    with pytest.raises(Refused, match="changed meanwhile"):
        apply(edit)


def cli(*arguments: str) -> Result:
    return CliRunner().invoke(app, ["guard", "hook", *arguments], standalone_mode=False)


def test_the_command_shows_the_difference_and_writes_only_with_consent(
    repository: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(repository)
    asked = cli("install", "--agent", "codex")
    assert isinstance(asked.exception, UsageError)
    assert "+" in asked.output
    assert not (repository / ".codex").exists()
    assert "Codex CLI: installed" in cli("install", "--agent", "codex", "--yes").output
    assert "Codex CLI: already installed" in cli("install", "--agent", "codex", "--yes").output
    assert json.loads(cli("uninstall", "--agent", "codex", "--yes", "--json").output)[0]["changed"] is True


def test_without_a_name_the_agents_with_settings_are_meant(repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(repository)
    assert "Claude Code: installed" in cli("install", "--yes").output
    assert "Gemini" not in cli("install", "--yes").output
    assert isinstance(cli("install", "--scope", "user").exception, UsageError)
    assert isinstance(cli("install", "--scope", "all").exception, UsageError)
    assert isinstance(cli("install", "--agent", "aider").exception, UsageError)


def run_hook(command: str, event: dict[str, Any]) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        ["/bin/sh", "-c", command], input=json.dumps(event), capture_output=True, text=True, check=False, timeout=60
    )


def test_the_installed_command_allows_and_denies(repository: Path) -> None:
    command = hook_command("whet", AGENTS["claude"])
    assert run_hook(command, event_of("claude", "Bash", {"command": "ls"}, str(repository))).returncode == 0
    denied = run_hook(command, event_of("claude", "Bash", {"command": "rm -rf /"}, str(repository)))
    assert denied.returncode == 2
    assert "did not run" not in denied.stderr


@pytest.mark.parametrize("program", ["no-such-program", "/bin/false", "it's missing"])
def test_the_installed_command_blocks_if_whet_does_not_run(repository: Path, program: str) -> None:
    blocked = run_hook(hook_command(program, AGENTS["codex"]), event_of("codex", "Bash", {"command": "ls"}, "/"))
    assert blocked.returncode == 2
    assert "the guard hook did not run, so the call is blocked" in blocked.stderr
