"""Every probe that works on the host fails in the sandbox, for the user of the tests and for an ordinary user."""

import os
import shutil
from collections import Counter
from pathlib import Path

import pytest

from tests.escape.inside import interpreter_paths
from tests.escape.ordinary_user import check_escapes_as_user
from tests.support import once_per_run
from whet.sandbox.bubblewrap import Bubblewrap
from whet.sandbox.escape_check import ProbeOutcome, ProbeResult, check_escapes
from whet.sandbox.probes import run
from whet.sandbox.probes.probe import FAMILIES, PROBES

assert run.SECONDS  # importing the module fills the table of probes
USERS = ["the user of the tests", "an ordinary user"]


@pytest.fixture(scope="module")
def tried(tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, ProbeResult]]:
    """Run all probes once for all workers of the test run: it takes half a minute, and each worker gets some tests."""
    run_folder = tmp_path_factory.getbasetemp()
    results = once_per_run(run_folder, "probes", lambda: _try_all(tmp_path_factory.mktemp("ordinary")))
    return {user: {result.id: result for result in (_result(*row) for row in rows)} for user, rows in results.items()}


def _result(family: str, name: str, outcome: str, detail: str) -> ProbeResult:
    return ProbeResult(family, name, ProbeOutcome(outcome), detail)


def _try_all(folder: Path) -> dict[str, list[list[str]]]:
    results = {USERS[0]: check_escapes(Bubblewrap(), interpreter_paths())}
    if os.geteuid() == 0:
        reachable = _reachable(folder)
        try:
            results[USERS[1]] = check_escapes_as_user(reachable)
        finally:
            shutil.rmtree(reachable)
    return {
        user: [[result.family, result.name, result.outcome.value, result.detail] for result in of_user]
        for user, of_user in results.items()
    }


def _reachable(folder: Path) -> Path:
    """Return a folder that other users can enter; pytest's own folders are closed to them."""
    open_to_all = Path("/tmp") / f"whet-ordinary-{os.getpid()}"
    shutil.rmtree(folder)
    open_to_all.mkdir()
    return open_to_all


@pytest.mark.parametrize("user", USERS)
@pytest.mark.parametrize("name", PROBES)
def test_the_sandbox_holds_the_probe(name: str, user: str, tried: dict[str, dict[str, ProbeResult]]) -> None:
    if user not in tried:
        pytest.skip("the tests do not run as root, so this is the same run")
    result = tried[user][name]
    if result.outcome is ProbeOutcome.NOT_TRIED:
        pytest.skip(f"the probe does not work on this host either: {result.detail}")
    assert result.outcome is ProbeOutcome.HELD, result.detail


def test_most_probes_were_tried(tried: dict[str, dict[str, ProbeResult]]) -> None:
    """A probe that does not work on this host proves nothing, so enough of every family must work."""
    for results in tried.values():
        counts = Counter(result.family for result in results.values() if result.outcome is not ProbeOutcome.NOT_TRIED)
        assert sum(counts.values()) >= 80, counts
        assert all(counts[family] >= 5 for family in FAMILIES), counts
