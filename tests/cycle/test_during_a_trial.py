"""Commands during a trial. The trial never ends by itself here, because the application makes no calls."""

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.cycle.test_running_tools import (
    LIMIT_SECONDS,
    recorded,
    status,
    suggest_a_bad_change,
    suggest_a_good_change,
    until,
)
from tests.support import Repo, configured_whet
from whet.demo.sample_tools import Application, make_tools_sample, try_first
from whet.store.versions import Versions

pytestmark = [pytest.mark.slow, pytest.mark.whets_python]


@pytest.fixture
def repo(tmp_path: Path) -> Repo:
    folder = tmp_path / "calculator"
    folder.mkdir()
    make_tools_sample(folder)
    policy = folder / "whet.toml"
    policy.write_text(policy.read_text().replace("trial_seconds = 60", "trial_seconds = 600"))
    try_first(folder)
    with Application(folder) as application:
        application.calls(100, largest=20)
        until(lambda: recorded(Repo(folder)) >= 100)
    return Repo(folder)


def on_trial(repo: Repo) -> bool:
    manifest = Versions(repo.root / ".whet").manifest("calculator")
    return manifest is not None and manifest.candidate is not None


@contextmanager
def trying(repo: Repo, proposal: str) -> Iterator["subprocess.Popen[bytes]"]:
    with subprocess.Popen(
        [*configured_whet(), "approve", proposal, "--yes"], cwd=repo.root, stdout=subprocess.DEVNULL
    ) as whet:
        until(lambda: on_trial(repo))
        try:
            yield whet
        finally:
            whet.kill()


def test_during_a_trial_others_can_be_rejected_and_the_trial_rolled_back(repo: Repo, tmp_path: Path) -> None:
    other = suggest_a_bad_change(repo, tmp_path)
    tried = suggest_a_good_change(repo, tmp_path, besides=other)
    with trying(repo, tried) as whet:
        assert repo.whet("list").code == 0
        assert repo.whet("reject", other, "--why", "a table is not worth it").code == 0
        until(lambda: status(repo, other) == "rejected")
        assert on_trial(repo)
        result = repo.whet("rollback", tried, "--why", "second thoughts")
        assert result.code == 0, result.err
        assert whet.wait(LIMIT_SECONDS) == 1
    assert not on_trial(repo)
    assert status(repo, tried) == "rolled_back"
    assert "second thoughts" in repo.whet("show", tried).out
    assert repo.sh("git", "branch", "--list", "whet/*") == ""
    audited = repo.whet("audit")
    assert audited.code == 0, audited.out


def test_a_trial_ends_when_whet_is_stopped_or_its_approval_withdrawn(repo: Repo, tmp_path: Path) -> None:
    tried = suggest_a_good_change(repo, tmp_path)
    with trying(repo, tried) as whet:
        assert repo.whet("stop").code == 0
        until(lambda: not on_trial(repo))
        whet.wait(LIMIT_SECONDS)
    assert repo.whet("start").code == 0
    with subprocess.Popen([*configured_whet(), "resume"], cwd=repo.root, stdout=subprocess.DEVNULL) as whet:
        until(lambda: on_trial(repo))
        assert repo.whet("withdraw", tried, "--why", "not today").code == 0
        until(lambda: not on_trial(repo))
        whet.wait(LIMIT_SECONDS)
    assert status(repo, tried) == "withdrawn"
    assert repo.whet("audit").code == 0
