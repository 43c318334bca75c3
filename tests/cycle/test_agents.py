"""Whole cycles in which a coding agent in the sandbox writes the change."""

import contextlib
import json
import os
import shutil
import sys
import threading
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from tests.agent_proxy.scripted_provider import KEY, Say, ScriptedProvider, scripted_provider
from tests.cycle.test_whole_cycles import BUGGY
from tests.support import ForkedCommand, MakeRepo, Repo
from whet.app.project import open_project
from whet.domain.build import Build

SCRIPT = Path(__file__).parent.parent / "agent_proxy" / "scripted_agent.py"
FIXED = BUGGY["shop.py"].replace("- rate", "+ rate")


def plan(**parts: Any) -> Say:
    return Say(json.dumps(parts))


def make_install(tmp_path: Path) -> Path:
    """Return the folder of an installed agent."""
    program = tmp_path / "agent" / "bin" / "scripted-agent"
    program.parent.mkdir(parents=True)
    shutil.copy(SCRIPT, program)
    program.write_text(f"#!{shutil.which('python3', path='/usr/bin') or sys.executable}\n{program.read_text()}")
    for path in (program, program.parent, program.parent.parent):
        path.chmod(0o755)  # the sandbox has a user of its own
    return program.parent.parent


@pytest.fixture
def install(tmp_path: Path) -> Path:
    return make_install(tmp_path)


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
    assert (spent(repo, "tokens"), spent(repo, "money")) == ("150", "0.00018")
    assert KEY not in everything_in(repo.root / ".whet")


ATTEMPTS = {
    "environment": "env; tr '\\0' '\\n' < /proc/1/environ; cat /proc/*/environ /proc/*/cmdline | tr '\\0' ' '",
    "provider": 'curl -sS --max-time 3 {base_url}/models; python3 -c "import urllib.request as u; '
    "print(u.urlopen('{base_url}/models', timeout=3).read())\"",
    "other host": "curl -sS --max-time 3 http://1.1.1.1/ http://example.com/",
    "proxy to another host": "curl -sS --max-time 3 -x $OPENAI_BASE_URL http://example.com/; "
    "curl -sS -H 'Host: example.com' -H 'X-Forwarded-Host: {base_url}' $OPENAI_BASE_URL/files; "
    "curl -sS --request-target '{base_url}/models' $OPENAI_BASE_URL/models -X POST",
    "echoed headers": "curl -sSi $OPENAI_BASE_URL/models; curl -sSi -X TRACE $OPENAI_BASE_URL/models",
    "host": "cat {secret} /etc/shadow /root/.ssh/* ~root/.bashrc; ls /home /work",
    "history": "git log --all --patch; git remote -v; git reflog; cat .git/config; ls .git/objects/pack",
    "state": "ls -la .whet; cat .whet/*; find / -maxdepth 6 -name ledger.head -not -path '/proc/*'",
}


def test_an_agent_finds_neither_the_key_nor_the_host_nor_the_history(
    make_repo: MakeRepo, install: Path, tmp_path: Path
) -> None:
    secret = tmp_path / "of-the-host.txt"
    secret.write_text("content of a file of the host")
    secret.chmod(0o644)
    with scripted_provider(Say("{}")) as provider:
        repo = make_repo({**BUGGY, "old.txt": "text of the history\n"})
        repo.sh("git", "remote", "add", "origin", "https://token-of-the-remote@example.com/x.git")
        (repo.root / "old.txt").unlink()
        repo.commit({"whet.toml": policy(provider, install)})
        commands = [
            f"(echo; echo '## {name}'; {attempt.format(base_url=provider.base_url, secret=secret)}) >> report.txt 2>&1"
            for name, attempt in ATTEMPTS.items()
        ]
        provider.script = (plan(write={"shop.py": FIXED}, shell=commands),)
        code, row = run(repo)
        assert len(provider.received) == 1, "nothing else reached the provider"
    report = report_of(repo)
    assert [line[3:] for line in report.splitlines() if line.startswith("## ")] == list(ATTEMPTS), "all were tried"
    assert "OPENAI_API_KEY=whet-adds-the-key" in report, "the environment was seen"
    for hidden in (
        KEY,
        "content of a file",
        "root:",
        "text of the history",
        "token-of-the-remote",
        "anchor",
        "hello there",
    ):
        assert hidden not in report, hidden
    assert report.count("does not take") >= 2, "the proxy refused"
    assert "the tree" in report, "the throw-away commit is there"
    assert code in (1, 3, 5), row["why"]


def report_of(repo: Repo) -> str:
    """Return the agent's report as it is in git: commands would redact it."""
    [entry] = open_project(repo.root).ledger.entries(kind="Build")
    build = entry.read(Build)
    assert build.patch, build.note
    return repo.sh("git", "show", f"{build.patch.tree}:report.txt")


def spent(repo: Repo, budget: str) -> str:
    [row] = [row for row in repo.whet("budget", "--json").json["budgets"] if row["budget"] == budget]
    return str(row["spent"])


def everything_in(folder: Path) -> str:
    return "".join(path.read_bytes().decode(errors="replace") for path in folder.rglob("*") if path.is_file())


def test_a_killed_whet_leaves_nothing_running_and_loses_no_spending(make_repo: MakeRepo, install: Path) -> None:
    asked, over = threading.Event(), threading.Event()
    with scripted_provider(plan(write={"shop.py": FIXED})) as provider:
        provider.before = lambda number: wait(asked, over) if number == 1 else None
        repo = make_repo({**BUGGY, "whet.toml": policy(provider, install)})
        environment = {**os.environ, "MODEL_KEY": KEY}
        command = ForkedCommand(["run", "--json"], repo.root, environment)
        assert asked.wait(120), "the agent asks its model"
        command.kill()
        command.end()
        while processes_of(install):  # bubblewrap ends when the kernel tells it that its parent is dead
            pass
        over.set()
        assert int(spent(repo, "tokens")) > 16_000, "the request may have been answered, so its reservation counts"
        resumed = repo.whet("resume", "--json", env={"MODEL_KEY": KEY})
        [row] = repo.whet("list", "--json").json
    assert row["status"] == "waiting_apply", (row, resumed.out, resumed.err)


def wait(asked: threading.Event, over: threading.Event) -> None:
    asked.set()
    over.wait(120)


def processes_of(install: Path) -> list[str]:
    """Return the command lines of the processes of an agent."""
    lines = []
    for folder in Path("/proc").iterdir():
        with contextlib.suppress(OSError):
            if folder.name.isdigit():
                lines.append((folder / "cmdline").read_bytes().decode(errors="replace"))
    return [line for line in lines if f"{install}/bin/" in line]
