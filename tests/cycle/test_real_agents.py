"""Real coding agents, installed from the package indexes, through `whet run` against the scripted provider.

`make agents` runs these tests: WHET_AGENTS names the folder in which the agents are installed once.
"""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.agent_proxy.scripted_provider import Action, Say, Use, scripted_provider
from tests.cycle.test_agents import policy, run
from tests.cycle.test_whole_cycles import BUGGY
from tests.support import MakeRepo

FOLDER = os.environ.get("WHET_AGENTS", "")
EDIT = "sed -i 's/- rate/+ rate/' shop.py"
BLOCK = """shop.py
```python
<<<<<<< SEARCH
    return sum(prices) - rate
=======
    return sum(prices) + rate
>>>>>>> REPLACE
```
"""
DONE = Say("The rate is added now.")
PIP = {
    "aider": ["aider-chat"],
    "mini-swe-agent": ["mini-swe-agent", "mcp>=2"],
}  # litellm needs mcp, and names it nowhere
NPM = {
    "codex": "@openai/codex",
    "claude": "@anthropic-ai/claude-code",
    "gemini": "@google/gemini-cli",
    "opencode": "opencode-ai",
}
SCRIPTS: dict[str, tuple[Action, ...]] = {
    "codex": (Use("exec_command", {"cmd": EDIT}), DONE),
    "aider": (Say(BLOCK),),
    "mini-swe-agent": (
        Use("bash", {"command": EDIT}),
        Use("bash", {"command": "echo COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT"}),
    ),
    "claude": (Use("Bash", {"command": EDIT, "description": "add the rate"}), DONE),
    "gemini": (Use("run_shell_command", {"command": EDIT, "description": "add the rate"}), DONE),
    "opencode": (Use("bash", {"command": EDIT, "description": "add the rate"}), DONE),
}

pytestmark = [
    pytest.mark.needs_index,
    pytest.mark.timeout(1200),
    pytest.mark.skipif(not FOLDER, reason="WHET_AGENTS is not set: run `make agents`"),
]


def installed(preset: str) -> Path:
    """Install an agent unless it is installed, and return its folder."""
    folder = Path(FOLDER).resolve() / preset
    if not folder.is_dir() and preset in PIP:
        subprocess.run([sys.executable, "-m", "venv", str(folder)], check=True)
        subprocess.run([str(folder / "bin" / "pip"), "install", "--quiet", *PIP[preset]], check=True)
    elif not folder.is_dir():
        subprocess.run(["npm", "install", "--silent", "--prefix", str(folder), NPM[preset]], check=True)
    return folder


@pytest.mark.parametrize("preset", SCRIPTS)
def test_a_real_agent_makes_a_change_that_is_proven(preset: str, make_repo: MakeRepo) -> None:
    umask = os.umask(0o022)  # the sandbox has a user of its own, who must be able to read the agent
    folder = installed(preset)
    os.umask(umask)
    with scripted_provider(*SCRIPTS[preset], version="/v1beta" if preset == "gemini" else "/v1") as provider:
        settings = {"preset": preset, "command": [], "seconds": 240, "model": "big"}
        repo = make_repo({**BUGGY, "whet.toml": policy(provider, folder, settings)})
        code, row = run(repo)
    assert code == 5, (row["why"], [(request.method, request.path) for request in provider.received])
    assert "sum(prices) + rate" in repo.whet("diff", str(row["proposal"])).out
