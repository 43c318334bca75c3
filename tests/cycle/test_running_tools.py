"""A real application in a process of its own, and whet commands that change its tool."""

import os
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.support import Repo, configured_whet
from whet.demo.sample_tools import Application, bad_change, make_tools_sample, try_first
from whet.store.executions import Executions
from whet.store.versions import Versions

pytestmark = [pytest.mark.slow, pytest.mark.whets_python]
# A busy machine makes calls slow at random: these tests judge errors, not the time of a call.
WATCH_LONG = "watch_seconds = 60\nlatency_margin = 5.0"
LIMIT_SECONDS = 200  # only a hang takes so long
FIXED_DIVIDE = "    if b == 0:\n        return None\n    return a / b\n"


@pytest.fixture
def repo(tmp_path: Path) -> Repo:
    folder = tmp_path / "calculator"
    folder.mkdir()
    make_tools_sample(folder)
    (folder / "whet.toml").write_text((folder / "whet.toml").read_text().replace("watch_seconds = 3", WATCH_LONG))
    Repo(folder).sh("git", "commit", "--quiet", "--all", "--message", "watch longer")
    return Repo(folder)


@pytest.fixture
def application(repo: Repo) -> Iterator[Application]:
    with Application(repo.root) as started:
        yield started


def until(true: Callable[[], bool]) -> None:
    over = time.monotonic() + LIMIT_SECONDS
    while not true():
        assert time.monotonic() < over, "the condition did not become true in time"
        time.sleep(0.05)


def recorded(repo: Repo) -> int:
    return sum(row.calls for row in Executions(repo.root / ".whet").opportunity_rows())


def waiting(repo: Repo, besides: str = "") -> str:
    listed = repo.whet("list", "--json").json
    (proposal,) = [row["proposal"] for row in listed if row["status"] == "waiting_apply" and row["proposal"] != besides]
    return str(proposal)


def status(repo: Repo, proposal: str) -> str:
    return str(repo.whet("show", proposal, "--json").json["status"])


def suggest_a_bad_change(repo: Repo, tmp_path: Path) -> str:
    """Suggest a patch that passes every test and its case, and fails on calls that no test makes; return the proposal."""
    patch = tmp_path / "quicker.diff"
    patch.write_text(bad_change(repo.root))
    result = repo.whet(
        "suggest",
        "a table is quicker",
        "--where",
        "calculator.py",
        "--case",
        "divide(1, 3) == 0.333333",
        "--patch",
        str(patch),
    )
    assert result.code == 0, result.err
    assert repo.whet("run").code == 5
    return waiting(repo)


def suggest_a_good_change(repo: Repo, tmp_path: Path, besides: str = "") -> str:
    suggest_a_fix(repo, tmp_path)
    assert repo.whet("run").code == 5
    return waiting(repo, besides)


def suggest_a_fix(repo: Repo, tmp_path: Path) -> None:
    tool = repo.root / "calculator.py"
    before = tool.read_text()
    tool.write_text(before.replace("    return a / b\n", FIXED_DIVIDE))
    patch = tmp_path / "fixed.diff"
    patch.write_text(repo.sh("git", "diff") + "\n")
    tool.write_text(before)
    case = ("--where", "calculator.py", "--case", "divide(1, 0) is None", "--patch", str(patch))
    result = repo.whet("suggest", "division by zero gives None", *case)
    assert result.code == 0, result.err


def test_a_harmful_change_is_rolled_back_even_if_whet_is_killed_during_the_watch(
    repo: Repo, application: Application, tmp_path: Path
) -> None:
    application.calls(600, largest=20)
    until(lambda: recorded(repo) >= 600)
    before = (repo.root / "calculator.py").read_text()
    proposal = suggest_a_bad_change(repo, tmp_path)
    versions = Versions(repo.root / ".whet")
    with subprocess.Popen(
        [*configured_whet(), "approve", proposal, "--yes"],
        cwd=repo.root,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    ) as whet:
        until(lambda: bool(versions.manifest("calculator")))
        os.kill(whet.pid, signal.SIGKILL)
    until(lambda: application.calls(210, largest=20) > 50)
    with application.busy():
        result = repo.whet("resume")
    assert status(repo, proposal) == "rolled_back", result.out + result.err
    until(lambda: application.calls(210, largest=20) <= 10)
    assert (repo.root / "calculator.py").read_text() == before
    assert 'Revert "' in repo.sh("git", "log", "-1", "--format=%s")
    audited = repo.whet("audit")
    assert audited.code == 0, audited.out


def test_a_canary_of_a_killed_whet_is_judged_after_resume(repo: Repo, application: Application, tmp_path: Path) -> None:
    try_first(repo.root)
    application.calls(100, largest=20)
    until(lambda: recorded(repo) >= 100)
    proposal = suggest_a_bad_change(repo, tmp_path)
    versions = Versions(repo.root / ".whet")

    def on_trial() -> bool:
        manifest = versions.manifest("calculator")
        return manifest is not None and manifest.candidate is not None

    with subprocess.Popen(
        [*configured_whet(), "approve", proposal, "--yes"],
        cwd=repo.root,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    ) as whet:
        until(on_trial)
        os.kill(whet.pid, signal.SIGKILL)
    assert on_trial()
    assert status(repo, proposal) == "on_trial"
    assert [row["state"] for row in repo.whet("sync", "--json").json] == ["trying"]
    assert "no whet is at work on it: `whet resume` continues" in repo.whet("status").out
    with application.busy():
        repo.whet("resume")
    assert status(repo, proposal) == "rolled_back"
    assert not on_trial()
    assert "RECIPROCALS" not in (repo.root / "calculator.py").read_text()
    assert repo.whet("audit").code == 0


def test_an_ab_trial_merges_a_better_candidate(repo: Repo, application: Application, tmp_path: Path) -> None:
    policy = repo.root / "whet.toml"
    text = policy.read_text().replace('"hot_reload"', '"ab"').replace("trial_seconds = 60", "trial_seconds = 200")
    text = text.replace("watch_seconds = 60", "watch_seconds = 1")
    policy.write_text(text)
    repo.sh("git", "commit", "--quiet", "--all", "--message", "half and half")
    application.calls(100, largest=20)
    until(lambda: recorded(repo) >= 100)
    proposal = suggest_a_good_change(repo, tmp_path)
    with application.busy(largest=1):  # every second call fails without the fix, so few calls prove it better
        result = repo.whet("approve", proposal, "--yes")
    assert status(repo, proposal).startswith("merged"), result.out + result.err
    (trial,) = repo.whet("show", proposal, "--json").json["trials"]
    assert (trial["mode"], trial["share"], trial["state"]) == ("ab", 0.5, "promote")
    assert "ab: promote: the candidate is better" in repo.whet("show", proposal).out
    assert repo.whet("audit").code == 0
