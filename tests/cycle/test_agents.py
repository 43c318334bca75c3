"""Whole cycles in which a coding agent in the sandbox writes the change."""

import json
import shutil
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from tests.agent_proxy.scripted_provider import KEY, Say, ScriptedProvider, scripted_provider
from tests.cycle.test_whole_cycles import BUGGY
from tests.support import MakeRepo, Repo

SCRIPT = Path(__file__).parent.parent / "agent_proxy" / "scripted_agent.py"
FIXED = BUGGY["shop.py"].replace("- rate", "+ rate")


def plan(**parts: Any) -> Say:
    return Say(json.dumps(parts))


@pytest.fixture
def install(tmp_path: Path) -> Path:
    """The folder of an installed agent."""
    program = tmp_path / "agent" / "bin" / "scripted-agent"
    program.parent.mkdir(parents=True)
    shutil.copy(SCRIPT, program)
    program.write_text(f"#!{shutil.which('python3', path='/usr/bin') or sys.executable}\n{program.read_text()}")
    for path in (program, program.parent, program.parent.parent):
        path.chmod(0o755)  # the sandbox has a user of its own
    return program.parent.parent


def policy(provider: ScriptedProvider, install: Path, settings: Mapping[str, object] | None = None) -> str:
    agent: dict[str, object] = {
        "preset": "command", "command": ["scripted-agent", "{task}"], "install": str(install), "model": "big",
        "base_url": provider.base_url, "key_variable": "MODEL_KEY", "price_input": "1", "price_output": "2", "seconds": 60,
        **(settings or {}),
    }  # fmt: skip
    lines = [f"{name} = {json.dumps(value)}" for name, value in agent.items()]
    return (
        '[tests]\nfolders = ["tests"]\n[deploy]\nstrategy = "merge"\n[propose]\nengines = ["agent"]\n[agent]\n'
        + "\n".join(lines)
    )


def run(repo: Repo) -> tuple[int, dict[str, Any]]:
    result = repo.whet("run", "--json", env={"MODEL_KEY": KEY})
    [row] = repo.whet("list", "--json").json
    return result.code, row


def test_an_agents_fix_is_proven_merged_and_audited(make_repo: MakeRepo, install: Path) -> None:
    with scripted_provider(plan(write={"shop.py": FIXED})) as provider:
        repo = make_repo({**BUGGY, "whet.toml": policy(provider, install)})
        code, row = run(repo)
    assert code == 5, row["why"]
    approved = repo.whet("approve", str(row["proposal"]), "--yes", "--json")
    assert approved.code == 0, approved.out
    assert (repo.root / "shop.py").read_text() == FIXED
    assert repo.whet("audit", "--json").code == 0
    [request] = provider.received
    assert request.headers["authorization"] == f"Bearer {KEY}"
    assert request.body["model"] == "big"
