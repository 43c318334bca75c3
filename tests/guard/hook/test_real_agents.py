"""Real coding agents from the npm registry run the hook that `install` wrote, against a model played on loopback.

The model makes calls that must be blocked and one that must not. Nothing leaves the machine but the download.
"""

import json
import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.guard.hook.provider import Call, serving
from tests.support import WHET
from whet.app.agent_hook.refused_calls import entries

pytestmark = [pytest.mark.needs_index, pytest.mark.timeout(900)]
FORCE = "git push --force"


def shell(tool: str, key: str, repository: Path) -> list[Call]:
    """Return a refused command, an allowed one, and one that needs a person."""
    del repository
    commands = (FORCE, "echo hi > allowed.txt", "sudo ./run")
    return [(tool, {key: command, "description": "x"}) for command in commands]


def codex_calls(repository: Path) -> list[Call]:
    return [(tool, {"cmd": arguments["cmd"]}) for tool, arguments in shell("exec_command", "cmd", repository)]


def claude_calls(repository: Path) -> list[Call]:
    reading = [("Read", {"file_path": str(repository / ".env")})]
    return [*shell("Bash", "command", repository), *reading]


def gemini_calls(repository: Path) -> list[Call]:
    """Return no call that is asked about: without a terminal Gemini CLI waits for the answer."""
    return [
        ("run_shell_command", {"command": FORCE}),
        ("write_file", {"file_path": str(repository / "whet.toml"), "content": "x"}),
        ("write_file", {"file_path": str(repository / "allowed.txt"), "content": "x"}),
    ]


def codex_command(bin_folder: Path, address: str, home: Path, repository: Path) -> list[str]:
    (home / ".codex").mkdir()
    (home / ".codex" / "config.toml").write_text(f'[projects."{repository}"]\ntrust_level = "trusted"\n')
    provider = f'{{name="fake",base_url="{address}/v1",wire_api="responses",env_key="FAKE_KEY"}}'
    return [
        str(bin_folder / "codex"), "exec", "--skip-git-repo-check", "--dangerously-bypass-hook-trust",
        "--dangerously-bypass-approvals-and-sandbox", "-m", "gpt-5", "-c", "model_provider=fake",
        "-c", f"model_providers.fake={provider}", "go",
    ]  # fmt: skip


def claude_command(bin_folder: Path, address: str, home: Path, repository: Path) -> list[str]:
    del address, home, repository
    return [str(bin_folder / "claude"), "-p", "go", "--allowedTools", "Bash", "Write", "Read"]


def gemini_command(bin_folder: Path, address: str, home: Path, repository: Path) -> list[str]:
    del address
    (home / ".gemini").mkdir()
    chosen = {"security": {"auth": {"selectedType": "gemini-api-key"}}}
    (home / ".gemini" / "settings.json").write_text(json.dumps(chosen))
    (home / ".gemini" / "trustedFolders.json").write_text(json.dumps({str(repository): "TRUST_FOLDER"}))
    return [str(bin_folder / "gemini"), "-p", "go", "--approval-mode", "yolo", "-m", "gemini-2.5-pro"]


Calls = Callable[[Path], list[Call]]
Command = Callable[[Path, str, Path, Path], list[str]]
REAL: list[tuple[str, str, Calls, Command, list[str]]] = [
    ("codex", "@openai/codex", codex_calls, codex_command, ["refused", "raised"]),
    ("claude", "@anthropic-ai/claude-code", claude_calls, claude_command, ["refused", "raised", "refused"]),
    ("gemini", "@google/gemini-cli", gemini_calls, gemini_command, ["refused", "refused"]),
]


@pytest.mark.parametrize(("name", "package", "calls", "command", "answers"), REAL)
def test_a_real_agent_obeys_the_hook(
    name: str,
    package: str,
    calls: Calls,
    command: Command,
    answers: list[str],
    repository: Path,
    home: Path,
    tmp_path: Path,
) -> None:
    bin_folder = installed_from_npm(package, tmp_path)
    with serving(calls(repository)) as (address, model):
        environment = environment_of(address, home)
        install = [*WHET, "guard", "hook", "install", "--agent", name, "--yes"]
        subprocess.run(install, cwd=repository, env=environment, check=True, capture_output=True)
        done = subprocess.run(
            command(bin_folder, address, home, repository),
            cwd=repository, env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=300, check=False,
        )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert [call["answer"] for call in entries(str(repository / ".whet"))] == answers
    assert (repository / "allowed.txt").exists()
    assert (repository / "whet.toml").read_text() == ""
    told = json.dumps(model.requests[-1])
    assert "whet: the command overwrites the history of a remote repository" in told, told[-3000:]


def installed_from_npm(package: str, tmp_path: Path) -> Path:
    """Install a package below the test's folder; return the folder of its commands."""
    npm = shutil.which("npm")
    if npm is None:
        pytest.skip("there is no npm here")
    folder = tmp_path / "npm"
    command = [npm, "install", "--no-audit", "--no-fund", "--prefix", str(folder), package]
    done = subprocess.run(command, capture_output=True, text=True, timeout=600, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    binaries = sorted(folder.glob("node_modules/@anthropic-ai/claude-code-*/claude"))
    return binaries[0].parent if binaries else folder / "node_modules" / ".bin"


def environment_of(address: str, home: Path) -> dict[str, str]:
    fake: dict[str, Any] = dict.fromkeys(("FAKE_KEY", "ANTHROPIC_API_KEY", "GEMINI_API_KEY"), "not-a-key")
    return {
        **fake,
        "PATH": f"{Path(WHET[0]).parent}:{os.environ['PATH']}",
        "HOME": str(home),
        "ANTHROPIC_BASE_URL": address,
        "GOOGLE_GEMINI_BASE_URL": address,
        "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
    }
