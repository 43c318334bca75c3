"""An event that cannot be judged, and every failure of the hook, blocks the call: exit code 2 and a reason."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.guard.hook.conftest import event_of
from tests.support import WHET
from whet.app.agent_hook.event import MOST_BYTES, read_event
from whet.errors import BadHookEvent, UsageError

GOOD = event_of("claude", "Bash", {"command": "ls"}, "/")
MALFORMED: list[tuple[str | None, Any]] = [
    (None, b""),
    (None, b"\xff\xfe"),
    (None, b"not json"),
    (None, b"[]"),
    (None, b"null"),
    (None, b'"text"'),
    (None, b"{}"),
    (None, b'{"hook_event_name": "PreToolUse", "tool_name": "a", "tool_name": "Bash"}'),
    (None, b"[" * 100_000),
    (None, {**GOOD, "hook_event_name": "PostToolUse"}),
    (None, {**GOOD, "hook_event_name": None}),
    (None, {**GOOD, "tool_name": 3}),
    (None, {**GOOD, "tool_name": ""}),
    (None, {**GOOD, "tool_input": [1]}),
    (None, {**GOOD, "tool_input": 7}),
    (None, {"toolName": None, "toolArgs": {}}),
    (None, {"hook_event_name": "beforeReadFile"}),
    (None, {"hook_event_name": "beforeMCPExecution", "tool_input": "{}"}),
    ("gemini", GOOD),
    ("cursor", GOOD),
    ("copilot", GOOD),
    ("claude", {**GOOD, "hook_event_name": "BeforeTool"}),
]


@pytest.mark.parametrize(("agent", "event"), MALFORMED)
def test_a_malformed_event_is_refused(agent: str | None, event: Any) -> None:
    raw = event if isinstance(event, bytes) else json.dumps(event).encode()
    with pytest.raises(BadHookEvent) as problem:
        read_event(raw, agent, "/")
    assert problem.value.exit_code == 2
    assert problem.value.remedy


def test_a_large_event_is_refused() -> None:
    with pytest.raises(BadHookEvent, match="larger than 16 MB"):
        read_event(b" " * (MOST_BYTES + 1), None, "/")


def test_an_unknown_agent_is_a_usage_error_that_names_the_known_ones() -> None:
    with pytest.raises(UsageError) as problem:
        read_event(json.dumps(GOOD).encode(), "other", "/")
    assert "claude, codex, gemini, cursor, copilot" in problem.value.remedy


FORMATS = [("claude", "claude"), ("codex", "codex"), ("gemini", "gemini"), ("cursor", "cursor"), ("copilot", "copilot")]


@pytest.mark.parametrize(("sent", "recognised"), FORMATS)
def test_the_format_is_recognised(sent: str, recognised: str) -> None:
    event = read_event(json.dumps(event_of(sent, "Bash", {"command": "ls"}, "/tmp")).encode(), None, "/")
    assert event.agent.name == recognised
    assert event.folder == "/tmp"
    assert event.call.arguments == {"command": "ls"}


def test_the_caller_has_the_scopes_of_the_event() -> None:
    event = event_of("codex", "Bash", {"command": "ls"}, "/tmp", agent_id="a1", agent_type="reviewer")
    caller = read_event(json.dumps(event).encode(), None, "/").caller
    assert (caller.agent, caller.team, caller.model, caller.provider) == ("codex.reviewer", "codex", "gpt-5", "openai")


def run(raw: bytes, *arguments: str, folder: Path, **environment: str) -> "subprocess.CompletedProcess[bytes]":
    return subprocess.run(
        [*WHET, "guard", "hook", *arguments],
        input=raw,
        cwd=folder,
        env={**os.environ, **environment},
        capture_output=True,
        timeout=60,
        check=False,
    )


def test_the_process_denies_with_exit_code_2_and_both_outputs(repository: Path) -> None:
    event = event_of("claude", "Write", {"file_path": "whet.toml"}, str(repository))
    done = run(json.dumps(event).encode(), folder=repository)
    assert done.returncode == 2
    assert json.loads(done.stdout)["hookSpecificOutput"]["permissionDecision"] == "deny"
    assert done.stderr == b"whet: whet.toml is protected: only a person changes it\n"


def test_the_process_says_nothing_about_an_ordinary_call(repository: Path) -> None:
    event = event_of("claude", "Write", {"file_path": "src/a.py"}, str(repository))
    done = run(json.dumps(event).encode(), "--agent", "claude", folder=repository)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


@pytest.mark.parametrize("arguments", [(), ("--agent", "claude"), ("--agent=cursor",), ("--agent", "other")])
def test_the_process_blocks_what_it_cannot_read(repository: Path, arguments: tuple[str, ...]) -> None:
    done = run(b"nonsense", *arguments, folder=repository)
    assert (done.returncode, done.stdout) == (2, b"")
    assert done.stderr.startswith(b"whet: ")


def test_a_broken_policy_blocks_every_call_and_says_why(repository: Path) -> None:
    (repository / "whet.toml").write_text("[guard]\ntool = 3\n")
    event = event_of("claude", "Read", {"file_path": "src/app.py"}, str(repository))
    done = run(json.dumps(event).encode(), folder=repository)
    assert done.returncode == 2
    assert b"unknown key 'guard.tool'" in done.stderr


def test_a_crash_of_whet_blocks_the_call(repository: Path, tmp_path: Path) -> None:
    """A site customisation breaks a function of whet in the middle of the hook."""
    broken = "import whet.guard.calls.judge as j, whet.app.agent_hook.hook as h\ndef f(*a, **k): raise ZeroDivisionError\nh.judge_call = f\n"
    (tmp_path / "sitecustomize.py").write_text(broken)
    event = event_of("codex", "Bash", {"command": "ls"}, str(repository))
    done = run(json.dumps(event).encode(), folder=repository, PYTHONPATH=str(tmp_path))
    assert done.returncode == 2
    assert b"ZeroDivisionError" in done.stderr


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGALRM])
def test_a_signal_blocks_the_call(repository: Path, number: signal.Signals) -> None:
    """The hook waits for its input when the signal comes."""
    script = f"import os, sys, threading; from whet.cli import hook; \
class_ = type('S', (), {{'buffer': type('B', (), {{'read': staticmethod(lambda n: os.kill(os.getpid(), {int(number)}))}})}}); \
sys.stdin = class_; hook.run_hook(['guard', 'hook'])"
    done = subprocess.run([sys.executable, "-c", script], cwd=repository, capture_output=True, check=False, timeout=60)
    assert done.returncode == 2
    assert number.name.encode() in done.stderr


def test_a_closed_output_blocks_the_call(repository: Path) -> None:
    event = event_of("claude", "Write", {"file_path": "pyproject.toml"}, str(repository))
    reading, writing = os.pipe()
    os.close(reading)
    done = subprocess.run(
        [*WHET, "guard", "hook"], input=json.dumps(event).encode(), stdout=writing, stderr=subprocess.PIPE, check=False
    )
    os.close(writing)
    assert done.returncode == 2
