"""Shadow trials: a change runs on live inputs while the application keeps getting the old results."""

import json
import os
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cycle.test_running_tools import (
    FIXED_DIVIDE,
    WATCH_LONG,
    recorded,
    status,
    suggest_a_bad_change,
    suggest_a_fix,
    suggest_a_good_change,
    until,
)
from tests.support import Repo, configured_whet
from whet.demo.sample_tools import Application, make_tools_sample
from whet.store.executions import Executions
from whet.store.versions import Versions

pytestmark = [pytest.mark.slow, pytest.mark.whets_python]


@pytest.fixture
def repo(tmp_path: Path) -> Repo:
    """The tool sleeps, because calls of a very fast tool are hardly ever recorded, and so long that the pauses of a busy
    machine do not make its calls slow."""
    folder = tmp_path / "calculator"
    folder.mkdir()
    make_tools_sample(folder)
    policy, tool = folder / "whet.toml", folder / "calculator.py"
    text = policy.read_text().replace('"hot_reload"', '"shadow"').replace("trial_seconds = 60", "trial_seconds = 200")
    text = text.replace("watch_seconds = 3", WATCH_LONG)
    policy.write_text(text)
    tool.write_text(
        tool.read_text()
        .replace("from whet", "import time\n\nfrom whet")
        .replace("    return", "    time.sleep(0.005)\n    return")
    )
    Repo(folder).sh("git", "commit", "--quiet", "--all", "--message", "shadow")
    return Repo(folder)


@pytest.fixture
def application(repo: Repo) -> Iterator[Application]:
    with Application(repo.root) as started:
        started.calls(100, largest=20)
        until(lambda: recorded(repo) >= 100)
        yield started


def versions_called(repo: Repo) -> set[str]:
    return {row.version for row in Executions(repo.root / ".whet").opportunity_rows()}


@pytest.mark.long
def test_a_change_that_agrees_on_live_inputs_is_merged(repo: Repo, application: Application, tmp_path: Path) -> None:
    proposal = suggest_a_good_change(repo, tmp_path)
    with application.busy():
        result = repo.whet("approve", proposal, "--yes")
    assert status(repo, proposal) == "merged", result.out + result.err
    assert FIXED_DIVIDE in (repo.root / "calculator.py").read_text()
    until(lambda: application.calls(21, largest=20) == 0)
    assert repo.whet("audit").code == 0


def test_a_change_that_fails_on_live_inputs_is_rolled_back_and_serves_no_caller(
    repo: Repo, application: Application, tmp_path: Path
) -> None:
    proposal, before = suggest_a_bad_change(repo, tmp_path), versions_called(repo)
    versions = Versions(repo.root / ".whet")
    with (
        application.busy(),
        subprocess.Popen(
            [*configured_whet(), "approve", proposal, "--yes"],
            cwd=repo.root,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
        ) as whet,
    ):
        until(lambda: bool(versions.manifest("calculator")))
        os.kill(whet.pid, signal.SIGKILL)
        whet.wait()
        result = repo.whet("resume")
    assert status(repo, proposal) == "rolled_back", result.out + result.err
    shown = repo.whet("show", proposal)
    assert "the candidate is worse" in shown.out, shown.out
    manifest = versions.manifest("calculator")
    assert manifest is not None
    assert manifest.candidate is None
    assert versions_called(repo) == before
    assert application.calls(21, largest=20) == 1
    assert "RECIPROCALS" not in (repo.root / "calculator.py").read_text()
    assert repo.whet("audit").code == 0


def test_a_tool_that_is_not_declared_safe_for_shadow_is_refused_before_the_proof(
    repo: Repo, application: Application, tmp_path: Path
) -> None:
    tool = repo.root / "calculator.py"
    tool.write_text(tool.read_text().replace("side_effects=False", "side_effects=False, safe_for_shadow=False"))
    repo.sh("git", "commit", "--quiet", "--all", "--message", "not safe for shadow")
    with Application(repo.root) as restarted:
        restarted.calls(10, largest=20)
        until(lambda: len(versions_called(repo)) == 2)
        suggest_a_fix(repo, tmp_path)
        assert repo.whet("run").code == 1
    [proposal] = [row["proposal"] for row in repo.whet("list", "--json").json]
    assert status(repo, proposal) == "failed"
    entries = repo.whet("ledger", "--subject", proposal, "--last", "99", "--json").out.splitlines()
    kinds = {json.loads(entry)["kind"] for entry in entries}
    assert "Lesson" in kinds
    assert "Evidence" not in kinds
    assert "calculator.divide cannot be shadowed" in repo.whet("show", proposal).out
    assert FIXED_DIVIDE not in tool.read_text()
